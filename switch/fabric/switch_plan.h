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

/// A flow of the fabric as one switch serves it. A flow whose sum is completed further up passes a switch
/// twice, on its way up and on its way down: then the switch has two of these, with different inputs.
struct SwitchFlow {
  hw::FlowId flow;
  hw::VirtualChannel vc = hw::VirtualChannel::dp;
  std::uint32_t route_set = 0;  ///< 0: a unicast, routed online
  std::uint32_t index = 0;      ///< of its route in the route set; meaningless in route set 0
  /// Those it uses; the route in the route set may be for more, since stripes of one flow are routed once, as
  /// if copied to (or reduced from) the ports of all of them.
  PortFlow ports;
  /// Not 0: the output is an up port that passes reductions (FRED sec. 5.1) one after the other in the order
  /// of their ids. Stripes of one reduction pass as they come: it has so many packets here, all its stripes
  /// that leave by this port together.
  std::uint64_t ordered_packets = 0;
  hw::FlowId first_stripe;  ///< of the reduction; meaningless when `ordered_packets` is 0
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
