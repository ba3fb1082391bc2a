#pragma once

#include <string>
#include <vector>

#include "hw/core/records.h"
#include "switch/fabric/switch_plan.h"
#include "tb/plan/concurrency.h"
#include "tb/plan/plan.h"
#include "tb/plan/switch_traffic.h"

namespace fredsim::tb {

/// What one switch is told, and what the plan says of it.
struct RoutedSwitch {
  sw::SwitchPlan plan;
  std::vector<Turns> turns;
  bool packed = false;
};

/// Gives the traffic of the switch `node` its route sets. Unicasts are routed online, in set
/// 0. The batches of the others (see batches.h) become the sets: equal ones share an index, and one that is
/// part of another uses that one. When the route memory does not hold them and they are not to be reloaded,
/// every shape gets one place in
/// sets that are packed first fit, the largest shapes first. Throws InputError when that is too much as well.
RoutedSwitch route_switch(const hw::Workload&, const Concurrency&, SwitchTraffic, const sw::TreeSwitch& node,
                          const PlanOptions&);

}  // namespace fredsim::tb
