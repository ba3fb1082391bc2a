#pragma once

#include <cstdint>
#include <vector>

#include "hw/core/records.h"
#include "switch/route/routing.h"

namespace fredsim::sw {

/// Flows with disjoint ports, routed together (the paper's configuration of a switch, FRED sec. 6.2.3).
struct RouteSet {
  std::vector<PortFlow> flows;
  std::vector<Route> routes;  ///< one for each flow
};

/// A flow of the fabric as one switch serves it.
struct SwitchFlow {
  hw::FlowId flow;
  hw::VirtualChannel vc = hw::VirtualChannel::dp;
  std::uint32_t route_set = 0;  ///< 0: a unicast, routed online
  std::uint32_t index = 0;      ///< of the flow in its route set; meaningless in route set 0
  PortFlow ports;
};

/// What a control unit is told before time starts. Flow ids ascend in the plan's order: a smaller one is
/// older.
struct SwitchPlan {
  std::uint32_t ports = 0;
  std::uint32_t middle = 0;
  std::vector<RouteSet> route_sets;  ///< index 0 is the default set, always there and empty
  std::vector<SwitchFlow> flows;     ///< ascending flow ids; control flows (barriers) have vc control
};

}  // namespace fredsim::sw
