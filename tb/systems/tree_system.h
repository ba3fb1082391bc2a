#pragma once

#include "switch/fabric/tree.h"
#include "tb/configuration/configuration.h"
#include "tb/plan/plan.h"
#include "tb/systems/factories.h"
#include "tb/systems/faults.h"
#include "tb/systems/system.h"

namespace fredsim::tb {

/// A tree of FRED switches with NPUs and I/O controllers at its leaves (`system: tree`), or a single switch
/// with an NPU at every port (`system: switch`), which is a tree of one level.
class TreeSystem : public System {
 public:
  /// All arguments but `tree`, `factories` and `faults` must outlive it. With `monitors` a PacketMonitor sits
  /// at both ends of every link.
  TreeSystem(sc_core::sc_module_name name, const Configuration& configuration, const sw::Tree& tree,
             const Plan& plan, const accel::NpuServices& services, bool monitors, const Factories& factories,
             const Faults& faults = {});

 private:
  class Builder;
};

}  // namespace fredsim::tb
