#include "switch/route/conflict.h"

#include <algorithm>
#include <iterator>
#include <tuple>

#include "switch/route/complete_search.h"

namespace fredsim::sw {
namespace {

std::vector<FlowPorts> ports_of(const std::vector<PortFlow>& flows) {
  std::vector<FlowPorts> ports;
  for (const PortFlow& flow : flows) ports.push_back(flow_ports(flow));
  return ports;
}

std::vector<FlowPorts> chosen(const std::vector<FlowPorts>& ports, const std::vector<std::uint32_t>& flows) {
  std::vector<FlowPorts> result;
  for (const std::uint32_t flow : flows) result.push_back(ports[flow]);
  return result;
}

/// Leaves out flows, the last first, for as long as the others cannot be routed together.
void find_irreducible(const Structure& structure, const std::vector<FlowPorts>& ports, FlowSet core,
                      std::uint64_t step_limit, Conflict& conflict) {
  for (std::uint32_t flow = 0; flow < ports.size(); ++flow) {
    if ((core >> flow & 1) != 0) conflict.flows.push_back(flow);
  }
  CompleteSearch search(structure.middle(), structure.levels(), step_limit);
  try {
    for (std::size_t i = conflict.flows.size(); i-- > 0;) {
      std::vector<std::uint32_t> others = conflict.flows;
      others.erase(others.begin() + static_cast<std::ptrdiff_t>(i));
      if (!search.solve(chosen(ports, others)).routable) conflict.flows = std::move(others);
    }
  } catch (const StepCounter::LimitReached&) {
    conflict.flows_complete = false;
  }
}

/// The set routes if only levels 0 to level - 1 limit it, and does not if `level` does too.
void find_level(const Structure& structure, const std::vector<FlowPorts>& ports, std::uint64_t step_limit,
                Conflict& conflict) {
  const std::vector<FlowPorts> flows = chosen(ports, conflict.flows);
  try {
    for (conflict.level = 0; conflict.level + 1 < structure.levels(); ++conflict.level) {
      CompleteSearch search(structure.middle(), conflict.level + 1, step_limit);
      if (!search.solve(flows).routable) return;
    }
  } catch (const StepCounter::LimitReached&) {
    conflict.level_complete = false;
  }
}

void find_smallest_middle(const Structure& structure, const std::vector<FlowPorts>& ports,
                          std::uint64_t step_limit, Conflict& conflict) {
  for (std::uint32_t middle = structure.middle() + 1; middle <= max_middle; ++middle) {
    CompleteSearch search(middle, structure.levels(), step_limit);
    try {
      if (search.solve(ports).routable) {
        conflict.smallest_middle = middle;
        return;
      }
    } catch (const StepCounter::LimitReached&) {
      conflict.middle_complete = false;
    }
  }
}

/// Exchanges of ports that may resolve the conflict, in the order of Conflict::swap.
std::vector<std::pair<hw::PortId, hw::PortId>> swaps(const Structure& structure,
                                                     const std::vector<PortFlow>& flows,
                                                     const std::vector<std::uint32_t>& conflict) {
  // The first flow of the conflict that has the port, or `conflict.size()`.
  std::vector<std::size_t> owner(structure.ports(), conflict.size());
  for (std::size_t i = conflict.size(); i-- > 0;) {
    for (const hw::PortId p : flows[conflict[i]].inputs) owner[p.value] = i;
    for (const hw::PortId p : flows[conflict[i]].outputs) owner[p.value] = i;
  }
  struct Candidate {
    bool moves_others;
    std::size_t first_moved;
    std::uint32_t a;
    std::uint32_t b;
  };
  std::vector<Candidate> candidates;
  for (std::uint32_t a = 0; a < structure.ports(); ++a) {
    for (std::uint32_t b = a + 1; b < structure.ports(); ++b) {
      const auto [first, second] = std::minmax(owner[a], owner[b]);
      // Ports of one micro-switch are alike, and without a port of the conflict it stays.
      if (a / 2 == b / 2 || first == conflict.size()) continue;
      candidates.push_back({second == conflict.size(), first, a, b});
    }
  }
  std::sort(candidates.begin(), candidates.end(), [](const Candidate& x, const Candidate& y) {
    return std::tie(x.moves_others, y.first_moved, x.a, x.b) <
           std::tie(y.moves_others, x.first_moved, y.a, y.b);
  });
  std::vector<std::pair<hw::PortId, hw::PortId>> result;
  for (const Candidate& c : candidates) result.emplace_back(c.a, c.b);
  return result;
}

void find_swap(const Structure& structure, const std::vector<PortFlow>& flows, std::uint64_t step_limit,
               Conflict& conflict) {
  CompleteSearch search(structure.middle(), structure.levels(), step_limit);
  try {
    for (const auto& [a, b] : swaps(structure, flows, conflict.flows)) {
      if (search.solve(ports_of(swap_ports(flows, a, b))).routable) {
        conflict.swap.emplace(a, b);
        return;
      }
    }
  } catch (const StepCounter::LimitReached&) {
    conflict.swap_complete = false;
  }
}

/// Ports of one flow next to each other: then few flows share a micro-switch.
std::vector<hw::PortId> consecutive(const Structure& structure, const std::vector<PortFlow>& flows) {
  std::vector<std::vector<hw::PortId>> groups;
  for (const PortFlow& flow : flows) {
    std::vector<hw::PortId>& group = groups.emplace_back();
    std::set_union(flow.inputs.begin(), flow.inputs.end(), flow.outputs.begin(), flow.outputs.end(),
                   std::back_inserter(group));
  }
  std::stable_sort(groups.begin(), groups.end(),
                   [](const auto& a, const auto& b) { return a.size() > b.size(); });
  std::vector<hw::PortId> placement(structure.ports());
  std::vector<bool> placed(structure.ports(), false);
  std::uint32_t next = 0;
  const auto place = [&](std::uint32_t port) {
    if (placed[port]) return;
    placed[port] = true;
    placement[port] = hw::PortId(next++);
  };
  for (const auto& group : groups) {
    for (const hw::PortId port : group) place(port.value);
  }
  for (std::uint32_t port = 0; port < structure.ports(); ++port) place(port);
  return placement;
}

void find_placement(const Structure& structure, const std::vector<PortFlow>& flows, std::uint64_t step_limit,
                    Conflict& conflict) {
  if (conflict.swap) return;
  CompleteSearch search(structure.middle(), structure.levels(), step_limit);
  try {
    std::vector<hw::PortId> placement = consecutive(structure, flows);
    if (search.solve(ports_of(place_ports(flows, placement))).routable) {
      conflict.placement = std::move(placement);
    }
  } catch (const StepCounter::LimitReached&) {
    // It is advice only: none is better than one that is not known to help.
  }
}

}  // namespace

Conflict explain_conflict(const Structure& structure, const std::vector<PortFlow>& flows, FlowSet core,
                          std::uint64_t step_limit) {
  const std::vector<FlowPorts> ports = ports_of(flows);
  Conflict conflict;
  find_irreducible(structure, ports, core, step_limit, conflict);
  find_level(structure, ports, step_limit, conflict);
  find_smallest_middle(structure, ports, step_limit, conflict);
  find_swap(structure, flows, step_limit, conflict);
  find_placement(structure, flows, step_limit, conflict);
  return conflict;
}

}  // namespace fredsim::sw
