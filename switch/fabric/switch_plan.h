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
  /// Not 0: the last output is an up port, which this flow uses for so many packets, all its stripes
  /// together. Up ports pass the flows of a class in the order of their ids; stripes of one flow pass as they
  /// come.
  std::uint64_t up_packets = 0;
  /// Of the flow, or of all the flows that share its turn; meaningless when `up_packets` is 0.
  hw::FlowId first_stripe{};
  /// False: it need not wait until all earlier flows have passed the up port (later ones that wait do wait
  /// for it).
  bool in_turn = true;
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
