#include "tb/plan/group_coloring.h"

#include <algorithm>
#include <boost/graph/connected_components.hpp>
#include <limits>
#include <utility>

namespace fredsim::tb {
namespace {

constexpr std::uint32_t none = std::numeric_limits<std::uint32_t>::max();

/// Colors one component, depth first. The first descent is the greedy coloring, so that there is a best one
/// from then on.
class Search {
 public:
  Search(const GroupGraph& graph, std::vector<std::uint32_t> vertices, std::uint64_t steps)
      : graph_(graph),
        vertices_(std::move(vertices)),
        steps_left_(steps + vertices_.size()),
        color_(boost::num_vertices(graph), none),
        neighbours_with_(boost::num_vertices(graph)) {}

  /// The color of each of the vertices, in their order.
  std::vector<std::uint32_t> run() {
    best_colors_ = static_cast<std::uint32_t>(vertices_.size()) + 1;
    fewest_ = clique();
    extend(0, 0);
    return best_;
  }
  std::uint32_t colors() const { return best_colors_; }

 private:
  /// Vertices that are all neighbours of each other need a color each.
  std::uint32_t clique() const {
    std::vector<std::uint32_t> by_degree = vertices_;
    std::stable_sort(by_degree.begin(), by_degree.end(),
                     [&](auto a, auto b) { return degree(a, graph_) > degree(b, graph_); });
    std::vector<std::uint32_t> members;
    for (const std::uint32_t v : by_degree) {
      if (std::all_of(members.begin(), members.end(), [&](auto m) { return edge(v, m, graph_).second; }))
        members.push_back(v);
    }
    return static_cast<std::uint32_t>(members.size());
  }

  std::uint32_t saturation(std::uint32_t v) const {
    const auto& with = neighbours_with_[v];
    return static_cast<std::uint32_t>(std::count_if(with.begin(), with.end(), [](auto n) { return n > 0; }));
  }

  /// The uncolored vertex with the most colors among its neighbours, of these one with the most neighbours.
  std::uint32_t next() const {
    std::uint32_t best = none;
    std::pair<std::uint32_t, std::size_t> best_rank;
    for (const std::uint32_t v : vertices_) {
      if (color_[v] != none) continue;
      const std::pair<std::uint32_t, std::size_t> rank{saturation(v), degree(v, graph_)};
      if (best == none || best_rank < rank) {
        best = v;
        best_rank = rank;
      }
    }
    return best;
  }

  void paint(std::uint32_t v, std::uint32_t color, bool on) {
    color_[v] = on ? color : none;
    for (auto [n, end] = adjacent_vertices(v, graph_); n != end; ++n) {
      auto& with = neighbours_with_[*n];
      if (with.size() <= color) with.resize(color + 1, 0);
      on ? ++with[color] : --with[color];
    }
  }

  /// True when the search is over: the best there can be is found, or the steps are used up.
  bool extend(std::size_t colored, std::uint32_t used) {
    if (colored == vertices_.size()) {
      best_colors_ = used;
      best_.clear();
      for (const std::uint32_t v : vertices_) best_.push_back(color_[v]);
      return best_colors_ <= fewest_;
    }
    const std::uint32_t v = next();
    for (std::uint32_t color = 0; color <= used; ++color) {
      if (std::max(used, color + 1) >= best_colors_) break;
      if (color < neighbours_with_[v].size() && neighbours_with_[v][color] > 0) continue;
      if (steps_left_ == 0) return true;
      --steps_left_;
      paint(v, color, true);
      const bool over = extend(colored + 1, std::max(used, color + 1));
      paint(v, color, false);
      if (over) return true;
    }
    return false;
  }

  const GroupGraph& graph_;
  std::vector<std::uint32_t> vertices_;
  std::uint64_t steps_left_;
  std::vector<std::uint32_t> color_;
  std::vector<std::vector<std::uint32_t>> neighbours_with_;  ///< by vertex and color: how many
  std::uint32_t fewest_ = 0;
  std::uint32_t best_colors_ = 0;
  std::vector<std::uint32_t> best_;
};

}  // namespace

GroupColoring color_groups(const GroupGraph& graph, std::uint64_t steps) {
  GroupColoring coloring;
  coloring.color.resize(num_vertices(graph));
  coloring.component.resize(num_vertices(graph));
  const std::uint32_t components = boost::connected_components(graph, coloring.component.data());
  std::vector<std::vector<std::uint32_t>> members(components);
  for (std::uint32_t v = 0; v < num_vertices(graph); ++v) members[coloring.component[v]].push_back(v);
  for (const std::vector<std::uint32_t>& vertices : members) {
    Search search(graph, vertices, steps);
    const std::vector<std::uint32_t> colors = search.run();
    for (std::size_t i = 0; i < vertices.size(); ++i) coloring.color[vertices[i]] = colors[i];
    coloring.colors_of.push_back(search.colors());
  }
  return coloring;
}

}  // namespace fredsim::tb
