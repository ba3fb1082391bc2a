#pragma once

#include <boost/graph/adjacency_list.hpp>
#include <cstdint>
#include <vector>

namespace fredsim::tb {

/// One vertex a group of NPUs; an edge between groups that want planes of their own.
using GroupGraph = boost::adjacency_list<boost::vecS, boost::vecS, boost::undirectedS>;

struct GroupColoring {
  std::vector<std::uint32_t> color;      ///< of each vertex; neighbours differ
  std::vector<std::uint32_t> component;  ///< of each vertex
  std::vector<std::uint32_t> colors_of;  ///< of each component: how many it uses
};

/// Colors every connected component with as few colors as there can be: DSATUR with branch and bound. A
/// component that takes more than `steps` steps keeps the best coloring found so far.
GroupColoring color_groups(const GroupGraph& graph, std::uint64_t steps = 200'000);

}  // namespace fredsim::tb
