#pragma once

#include "tb/configuration/configuration.h"
#include "tb/plan/plan.h"
#include "tb/systems/factories.h"
#include "tb/systems/system.h"

namespace fredsim::tb {

/// One FRED switch with NPU i on port i (`system: switch`).
class SwitchSystem : public System {
 public:
  /// All arguments but `factories` must outlive it. With `monitors` a PacketMonitor sits at both ends of
  /// every link.
  SwitchSystem(sc_core::sc_module_name name, const Configuration& configuration, const Plan& plan,
               const accel::NpuServices& services, bool monitors, const Factories& factories);

 private:
  void connect(hw::Context& context, const std::string& link_name, hw::PacketInitiatorSocket& from,
               hw::PacketTargetSocket& to, const hw::LinkConfig& link, const hw::Capacities& receiver,
               const hw::Transmitter* sender, bool monitors);
};

}  // namespace fredsim::tb
