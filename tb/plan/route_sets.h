#pragma once

#include <vector>

#include "hw/core/records.h"
#include "switch/fabric/switch_plan.h"
#include "tb/plan/order.h"
#include "tb/plan/plan.h"

namespace fredsim::tb {

/// What one switch is told, and what the plan says of it.
struct RoutedSwitch {
  sw::SwitchPlan plan;
  std::vector<Turns> turns;
  bool packed = false;
};

/// The flows of the fabric at a switch with NPU i on port i, and the route sets they use. Unicasts are routed
/// online, in set 0. The batches of the others (see batches.h) become the sets: equal ones share an index,
/// and one that is part of another uses that one. When the route memory does not hold them, every shape gets
/// one place in sets that are packed first fit, the largest shapes first. Throws InputError when that is too
/// much as well.
RoutedSwitch route_switch(const hw::Workload&, const Order&, const std::vector<hw::Flow>&,
                          const PlanOptions&);

}  // namespace fredsim::tb
