#include "switch/route/conflict_graph.h"

namespace fredsim::sw {
namespace {

/// Bit i of the result is bit 2i or bit 2i + 1 of `ports`.
std::uint64_t halve(std::uint64_t ports) {
  std::uint64_t x = (ports | ports >> 1) & 0x5555555555555555u;
  x = (x | x >> 1) & 0x3333333333333333u;
  x = (x | x >> 2) & 0x0f0f0f0f0f0f0f0fu;
  x = (x | x >> 4) & 0x00ff00ff00ff00ffu;
  x = (x | x >> 8) & 0x0000ffff0000ffffu;
  return (x | x >> 16) & 0x00000000ffffffffu;
}

std::uint64_t mask(const std::vector<hw::PortId>& side) {
  std::uint64_t bits = 0;
  for (const hw::PortId p : side) bits |= std::uint64_t{1} << p.value;
  return bits;
}

}  // namespace

FlowPorts flow_ports(const PortFlow& flow) {
  return {mask(flow.inputs), mask(flow.outputs)};
}

FlowPorts halve(FlowPorts ports) {
  return {halve(ports.inputs), halve(ports.outputs)};
}

ConflictGraph conflict_graph(const std::vector<FlowPorts>& halved) {
  ConflictGraph graph(halved.size());
  for (std::size_t a = 0; a < halved.size(); ++a) {
    for (std::size_t b = a + 1; b < halved.size(); ++b) {
      if (overlap(halved[a], halved[b])) boost::add_edge(a, b, graph);
    }
  }
  return graph;
}

}  // namespace fredsim::sw
