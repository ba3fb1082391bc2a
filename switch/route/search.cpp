#include "switch/route/search.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>

#include "hw/core/error.h"
#include "switch/route/complete_search.h"
#include "switch/route/conflict.h"

namespace fredsim::sw {
namespace {

using PortOwners = std::array<std::optional<std::size_t>, max_ports>;

void check_side(const Structure& structure, const std::vector<PortFlow>& flows, std::size_t flow,
                const std::vector<hw::PortId>& side, std::string_view name, PortOwners& owners) {
  const auto fail = [&](const std::string& what) {
    throw hw::InputError(fmt::format("flow {} ({}): {}", flow, to_string(flows[flow]), what));
  };
  if (side.empty()) fail(fmt::format("no {} ports; at least one is needed", name));
  for (const hw::PortId p : side) {
    if (p.value >= structure.ports()) {
      fail(fmt::format("{} port {} does not exist; {} has ports 0 to {}", name, p.value, to_string(structure),
                       structure.ports() - 1));
    }
    std::optional<std::size_t>& owner = owners[p.value];
    if (owner == flow) fail(fmt::format("{} port {} is given twice", name, p.value));
    if (owner) {
      fail(fmt::format("port {} is an {} of flow {} ({}) already; a port can be an {} of one flow only",
                       p.value, name, *owner, to_string(flows[*owner]), name));
    }
    owner = flow;
  }
}

}  // namespace

void check_flows(const Structure& structure, const std::vector<PortFlow>& flows) {
  PortOwners inputs;
  PortOwners outputs;
  for (std::size_t i = 0; i < flows.size(); ++i) {
    check_side(structure, flows, i, flows[i].inputs, "input", inputs);
    check_side(structure, flows, i, flows[i].outputs, "output", outputs);
  }
}

RoutingAnswer route(const Structure& structure, const std::vector<PortFlow>& flows,
                    const SearchLimits& limits) {
  check_flows(structure, flows);
  std::vector<FlowPorts> ports;
  for (const PortFlow& flow : flows) ports.push_back(flow_ports(flow));

  RoutingAnswer answer;
  CompleteSearch search(structure.middle(), structure.levels(), limits.steps);
  try {
    const CompleteSearch::Result& result = search.solve(ports);
    if (result.routable) {
      answer.outcome = RoutingAnswer::Outcome::routed;
      answer.routes = result.routes;
    } else {
      answer.outcome = RoutingAnswer::Outcome::conflict;
      if (limits.explain) answer.conflict = explain_conflict(structure, flows, result.core, limits.steps);
    }
  } catch (const StepCounter::LimitReached&) {
    answer.outcome = RoutingAnswer::Outcome::given_up;
  }
  answer.steps = search.steps();
  return answer;
}

std::vector<PortFlow> place_ports(std::vector<PortFlow> flows, const std::vector<hw::PortId>& placement) {
  for (PortFlow& flow : flows) {
    for (std::vector<hw::PortId>* side : {&flow.inputs, &flow.outputs}) {
      for (hw::PortId& p : *side) p = placement.at(p.value);
      std::sort(side->begin(), side->end());
    }
  }
  return flows;
}

std::vector<PortFlow> swap_ports(std::vector<PortFlow> flows, hw::PortId a, hw::PortId b) {
  for (PortFlow& flow : flows) {
    for (std::vector<hw::PortId>* side : {&flow.inputs, &flow.outputs}) {
      for (hw::PortId& p : *side) {
        if (p == a) {
          p = b;
        } else if (p == b) {
          p = a;
        }
      }
      std::sort(side->begin(), side->end());
    }
  }
  return flows;
}

}  // namespace fredsim::sw
