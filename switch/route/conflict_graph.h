#pragma once

#include <boost/graph/adjacency_list.hpp>
#include <cstdint>
#include <vector>

#include "switch/route/routing.h"

namespace fredsim::sw {

/// The ports of a flow in a switch of at most 64 ports, a bit each.
struct FlowPorts {
  std::uint64_t inputs = 0;
  std::uint64_t outputs = 0;

  friend bool operator==(FlowPorts a, FlowPorts b) { return a.inputs == b.inputs && a.outputs == b.outputs; }
  friend bool operator<(FlowPorts a, FlowPorts b) {
    return a.inputs != b.inputs ? a.inputs < b.inputs : a.outputs < b.outputs;
  }
};

FlowPorts flow_ports(const PortFlow&);

/// The micro-switches that a flow touches on both sides of a switch; these are also its ports in the middle
/// switch. Micro-switch i has ports 2i and 2i + 1; an odd last port is one of its own.
FlowPorts halve(FlowPorts);

/// Whether two flows share an input or an output micro-switch, given what `halve` says of each.
inline bool overlap(FlowPorts a, FlowPorts b) {
  return (a.inputs & b.inputs) != 0 || (a.outputs & b.outputs) != 0;
}

/// One vertex a flow; an edge where two flows cannot take the same middle switch (FRED sec. 5.2).
using ConflictGraph = boost::adjacency_list<boost::vecS, boost::vecS, boost::undirectedS>;

/// `halved` has what `halve` says of each flow.
ConflictGraph conflict_graph(const std::vector<FlowPorts>& halved);

}  // namespace fredsim::sw
