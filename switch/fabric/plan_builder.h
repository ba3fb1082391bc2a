#pragma once

#include <cstdint>
#include <vector>

#include "hw/core/records.h"
#include "switch/fabric/switch_plan.h"
#include "switch/route/structure.h"

namespace fredsim::sw {

/// Makes the plan of one switch flow by flow, for testbenches that drive a switch without a workload. Flows
/// get the ids 0, 1, 2, ... in the order in which they are added, which is the plan's order.
class PlanBuilder {
 public:
  /// A FRED_middle(ports); InputError as Structure throws it.
  PlanBuilder(std::uint32_t ports, std::uint32_t middle);

  /// Flows that are routed together, in a route set of their own. Throws InputError for flows that do not
  /// route together, or that check_flows refuses.
  std::vector<hw::FlowId> route_set(hw::VirtualChannel vc, const std::vector<PortFlow>& flows);
  /// A flow with a route set of its own.
  hw::FlowId flow(hw::VirtualChannel vc, const PortFlow& flow);
  /// From one port to one other, in the default route set: routed online, as its packets come.
  hw::FlowId unicast(hw::VirtualChannel vc, hw::PortId in, hw::PortId out);
  /// One control packet from each member in, one to each out.
  hw::FlowId barrier(const std::vector<hw::PortId>& members);

  const SwitchPlan& plan() const { return plan_; }

 private:
  hw::FlowId add(hw::VirtualChannel vc, std::uint32_t route_set, std::uint32_t index, const PortFlow& ports);

  Structure structure_;
  SwitchPlan plan_;
};

}  // namespace fredsim::sw
