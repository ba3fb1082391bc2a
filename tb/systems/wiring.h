#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "hw/link/link.h"
#include "hw/link/monitor.h"
#include "hw/link/protocol.h"
#include "hw/link/transmitter.h"
#include "tb/systems/system.h"

namespace fredsim::tb {

/// Lays the links of a system, with monitors at both ends if they are wanted.
class Wiring {
 public:
  /// One end of a link: who sends, who receives, and into which buffers.
  struct End {
    std::string name;
    hw::PacketInitiatorSocket& out;
    hw::PacketTargetSocket& in;
    const hw::Capacities& buffers;
    const hw::Transmitter* sender;
    std::optional<hw::NpuId> npu = std::nullopt;
  };

  Wiring(hw::Context& context, bool monitors, std::vector<System::Wire>& wires,
         std::vector<std::unique_ptr<hw::PacketMonitor>>& monitor_list)
      : context_(context), monitors_(monitors), wires_(wires), monitor_list_(monitor_list) {}

  /// Both directions.
  void connect(const End& a, const End& b, const hw::LinkConfig& config) {
    lay(a, b, config);
    lay(b, a, config);
  }

 private:
  void lay(const End& from, const End& to, const hw::LinkConfig& config);
  hw::PacketMonitor& add_monitor(const std::string& name, hw::MonitorConfig config,
                                 hw::MonitorConfig::Side side);

  hw::Context& context_;
  bool monitors_;
  std::vector<System::Wire>& wires_;
  std::vector<std::unique_ptr<hw::PacketMonitor>>& monitor_list_;
};

}  // namespace fredsim::tb
