#pragma once

#include "tb/configuration/configuration.h"
#include "tb/plan/plan.h"
#include "tb/systems/factories.h"
#include "tb/systems/faults.h"
#include "tb/systems/system.h"

namespace fredsim::tb {

/// A 2D mesh of routers with an NPU each and I/O controllers round the edge (`system: mesh`; FRED sec. 7.1).
class MeshSystem : public System {
 public:
  /// All arguments but `factories` and `faults` must outlive it. With `monitors` a PacketMonitor sits at both
  /// ends of every link.
  MeshSystem(sc_core::sc_module_name name, const Configuration& configuration, const Plan& plan,
             const accel::NpuServices& services, bool monitors, const Factories& factories,
             const Faults& faults);
};

}  // namespace fredsim::tb
