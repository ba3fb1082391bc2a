#include "switch/route/conflict.h"

#include <algorithm>

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

void find_swap(const Structure& structure, const std::vector<PortFlow>& flows, std::uint64_t step_limit,
               Conflict& conflict) {
  // A swap that leaves all ports of the set alone leaves the conflict.
  std::uint64_t concerned = 0;
  for (const std::uint32_t flow : conflict.flows) {
    const FlowPorts ports = flow_ports(flows[flow]);
    concerned |= ports.inputs | ports.outputs;
  }
  CompleteSearch search(structure.middle(), structure.levels(), step_limit);
  try {
    for (std::uint32_t a = 0; a < structure.ports(); ++a) {
      for (std::uint32_t b = a + 1; b < structure.ports(); ++b) {
        if (a / 2 == b / 2 || ((concerned >> a | concerned >> b) & 1) == 0) continue;
        if (search.solve(ports_of(swap_ports(flows, hw::PortId(a), hw::PortId(b)))).routable) {
          conflict.swap.emplace(a, b);
          return;
        }
      }
    }
  } catch (const StepCounter::LimitReached&) {
    conflict.swap_complete = false;
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
  return conflict;
}

}  // namespace fredsim::sw
