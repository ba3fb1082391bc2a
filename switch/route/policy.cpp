#include "switch/route/policy.h"

#include <algorithm>
#include <numeric>

namespace fredsim::sw {
namespace {

std::vector<PortFlow> chosen(const std::vector<PortFlow>& flows, const std::vector<std::uint32_t>& indices) {
  std::vector<PortFlow> result;
  for (const std::uint32_t i : indices) result.push_back(flows[i]);
  return result;
}

/// Adds `flow` to `group` if that still routes together.
bool try_add(const Structure& structure, const std::vector<PortFlow>& flows, std::uint32_t flow,
             const SearchLimits& limits, RoutedGroup& group) {
  std::vector<std::uint32_t> together = group.flows;
  together.insert(std::lower_bound(together.begin(), together.end(), flow), flow);
  SearchLimits quiet = limits;
  quiet.explain = false;
  RoutingAnswer answer = route(structure, chosen(flows, together), quiet);
  if (!answer.routed()) return false;
  group = {std::move(together), std::move(answer.routes)};
  return true;
}

std::vector<std::pair<hw::PortId, hw::PortId>> ring(const PortFlow& flow) {
  std::vector<hw::PortId> members;
  std::set_union(flow.inputs.begin(), flow.inputs.end(), flow.outputs.begin(), flow.outputs.end(),
                 std::back_inserter(members));
  std::vector<std::pair<hw::PortId, hw::PortId>> unicasts;
  if (flow.inputs.size() == 1 && flow.outputs.size() == 1) {
    unicasts.emplace_back(flow.inputs.front(), flow.outputs.front());
    return unicasts;
  }
  for (std::size_t i = 0; i < members.size(); ++i) {
    unicasts.emplace_back(members[i], members[(i + 1) % members.size()]);
  }
  return unicasts;
}

}  // namespace

std::vector<RoutedGroup> turns(const Structure& structure, const std::vector<PortFlow>& flows,
                               const SearchLimits& limits) {
  check_flows(structure, flows);
  std::vector<RoutedGroup> result;
  for (std::uint32_t flow = 0; flow < flows.size(); ++flow) {
    const bool joined = std::any_of(result.begin(), result.end(), [&](RoutedGroup& turn) {
      return try_add(structure, flows, flow, limits, turn);
    });
    if (!joined) try_add(structure, flows, flow, limits, result.emplace_back());
  }
  return result;
}

Decomposition decompose(const Structure& structure, const std::vector<PortFlow>& flows,
                        const SearchLimits& limits) {
  check_flows(structure, flows);
  std::vector<std::uint32_t> order(flows.size());
  std::iota(order.begin(), order.end(), 0u);
  std::stable_sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
    return flows[a].inputs.size() + flows[a].outputs.size() >
           flows[b].inputs.size() + flows[b].outputs.size();
  });
  Decomposition result;
  for (const std::uint32_t flow : order) {
    if (!try_add(structure, flows, flow, limits, result.kept)) {
      result.decomposed.push_back({flow, ring(flows[flow])});
    }
  }
  std::sort(result.decomposed.begin(), result.decomposed.end(),
            [](const Decomposed& a, const Decomposed& b) { return a.flow < b.flow; });
  return result;
}

}  // namespace fredsim::sw
