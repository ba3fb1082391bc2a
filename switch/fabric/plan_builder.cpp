#include "switch/fabric/plan_builder.h"

#include <fmt/format.h>

#include <utility>

#include "hw/core/error.h"
#include "switch/route/search.h"

namespace fredsim::sw {

PlanBuilder::PlanBuilder(std::uint32_t ports, std::uint32_t middle) : structure_(ports, middle) {
  plan_.ports = ports;
  plan_.middle = middle;
  plan_.route_sets.resize(1);
}

std::vector<hw::FlowId> PlanBuilder::route_set(hw::VirtualChannel vc, const std::vector<PortFlow>& flows) {
  RoutingAnswer answer = route(structure_, flows);
  if (!answer.routed()) {
    std::string text;
    for (const PortFlow& flow : flows) text += " " + to_string(flow);
    throw hw::InputError(fmt::format("{}: flows{} cannot be routed together; fredsim route says why",
                                     to_string(structure_), text));
  }
  const auto number = static_cast<std::uint32_t>(plan_.route_sets.size());
  plan_.route_sets.push_back({flows, std::move(answer.routes)});
  std::vector<hw::FlowId> ids;
  for (std::uint32_t i = 0; i < flows.size(); ++i) ids.push_back(add(vc, number, i, flows[i]));
  return ids;
}

hw::FlowId PlanBuilder::flow(hw::VirtualChannel vc, const PortFlow& flow) {
  return route_set(vc, {flow}).front();
}

hw::FlowId PlanBuilder::unicast(hw::VirtualChannel vc, hw::PortId in, hw::PortId out) {
  check_flows(structure_, {{{in}, {out}}});
  return add(vc, 0, 0, {{in}, {out}});
}

hw::FlowId PlanBuilder::barrier(const std::vector<hw::PortId>& members) {
  check_flows(structure_, {{members, members}});
  return add(hw::VirtualChannel::control, 0, 0, {members, members});
}

hw::FlowId PlanBuilder::add(hw::VirtualChannel vc, std::uint32_t route_set, std::uint32_t index,
                            const PortFlow& ports) {
  SwitchFlow flow;
  flow.flow = hw::FlowId(static_cast<std::uint32_t>(plan_.flows.size()));
  flow.vc = vc;
  flow.route_set = route_set;
  flow.index = index;
  flow.ports = ports;
  plan_.flows.push_back(std::move(flow));
  return plan_.flows.back().flow;
}

}  // namespace fredsim::sw
