#pragma once

#include <memory>
#include <optional>
#include <string>
#include <systemc>
#include <vector>

#include "accel/io/io_controller.h"
#include "accel/npu/npu_base.h"
#include "hw/link/link.h"
#include "hw/link/monitor.h"
#include "hw/link/shaker.h"
#include "switch/fabric/fred_switch.h"
#include "switch/mesh/router.h"

namespace fredsim::tb {

/// The modules of one elaborated system, whatever its shape; results and reports are made from these.
class System : public sc_core::sc_module {
 public:
  /// A link and what is at its ends.
  struct Wire {
    std::unique_ptr<hw::Link> link;
    const hw::Transmitter* sender = nullptr;  ///< null where a user's own module sends
    std::optional<hw::NpuId> from_npu = std::nullopt;
    std::optional<hw::NpuId> to_npu = std::nullopt;
    std::string from = {};                   ///< name of the module that sends
    std::string to = {};                     ///< and of the one that receives
    hw::PacketMonitor* at_sender = nullptr;  ///< null without monitors
    hw::PacketMonitor* at_receiver = nullptr;
  };

  explicit System(sc_core::sc_module_name name) : sc_module(name) {}

  const std::vector<std::unique_ptr<accel::NpuBase>>& npus() const { return npus_; }
  const std::vector<std::unique_ptr<accel::IoController>>& io_controllers() const { return io_controllers_; }
  const std::vector<Wire>& wires() const { return wires_; }
  const std::vector<std::unique_ptr<sw::FredSwitch>>& switches() const { return switches_; }
  /// Of a mesh, by node.
  const std::vector<std::unique_ptr<sw::MeshRouter>>& routers() const { return routers_; }
  const std::vector<std::unique_ptr<hw::PacketMonitor>>& monitors() const { return monitors_; }

 protected:
  std::vector<std::unique_ptr<accel::NpuBase>> npus_;  ///< by NpuId
  std::vector<std::unique_ptr<accel::IoController>> io_controllers_;
  std::vector<Wire> wires_;
  std::vector<std::unique_ptr<sw::FredSwitch>> switches_;  ///< as in Plan::switches
  std::vector<std::unique_ptr<sw::MeshRouter>> routers_;
  std::vector<std::unique_ptr<hw::PacketMonitor>> monitors_;
  std::vector<std::unique_ptr<hw::Shaker>> shakers_;  ///< one a wire under random pressure
};

}  // namespace fredsim::tb
