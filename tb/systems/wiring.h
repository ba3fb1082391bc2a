#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "hw/link/link.h"
#include "hw/link/monitor.h"
#include "hw/link/protocol.h"
#include "hw/link/shaker.h"
#include "hw/link/transmitter.h"
#include "tb/configuration/configuration.h"
#include "tb/systems/faults.h"
#include "tb/systems/system.h"

namespace fredsim::tb {

/// Lays the links of a system, with monitors at both ends if they are wanted, and under random pressure if
/// the configuration asks for it.
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

  /// Where the modules made are kept.
  struct Made {
    std::vector<System::Wire>& wires;
    std::vector<std::unique_ptr<hw::PacketMonitor>>& monitors;
    std::vector<std::unique_ptr<hw::Shaker>>& shakers;
  };

  Wiring(hw::Context& context, const Configuration& configuration, const Faults& faults, bool monitors,
         Made made)
      : context_(context), configuration_(configuration), faults_(faults), monitors_(monitors), made_(made) {}

  /// Both directions.
  void connect(const End& a, const End& b, const hw::LinkConfig& config);

 private:
  hw::Link& lay(const End& from, const End& to, const hw::LinkConfig& config);
  hw::PacketMonitor& add_monitor(const std::string& name, hw::MonitorConfig config,
                                 hw::MonitorConfig::Side side);
  void impair(hw::Link& link, const std::string& name);
  /// What a sender binds to instead of a link that is under random pressure.
  hw::PacketTargetSocket& shaken(hw::Link& link, const std::string& name);

  hw::Context& context_;
  const Configuration& configuration_;
  const Faults& faults_;
  bool monitors_;
  Made made_;
};

}  // namespace fredsim::tb
