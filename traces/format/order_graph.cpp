#include "traces/format/order_graph.h"

#include <algorithm>
#include <boost/graph/strong_components.hpp>
#include <boost/graph/topological_sort.hpp>
#include <boost/property_map/property_map.hpp>
#include <deque>
#include <iterator>
#include <limits>
#include <map>
#include <utility>

namespace fredsim::trace {
namespace {

constexpr std::size_t none = std::numeric_limits<std::size_t>::max();

}  // namespace

OrderGraph::OrderGraph(const hw::Workload& workload, const Matching& matching) {
  const auto& operations = workload.operations;
  const std::size_t count = operations.size();

  // The pairs of operation i are the vertices first[i] to first[i + 1]. `vertex_at` holds, for the operation
  // at hand, the vertex of each member; a vertex below the operation's first belongs to an earlier one and
  // says "not a member".
  std::vector<std::size_t> first(count + 1, 0);
  std::vector<std::size_t> vertex_at(workload.npus, none);
  for (std::uint32_t i = 0; i < count; ++i) {
    first[i] = pairs_.size();
    for (const hw::NpuId npu : operations[i].npus) {
      if (npu.value >= workload.npus) continue;
      std::size_t& vertex = vertex_at[npu.value];
      if (vertex != none && vertex >= first[i]) continue;
      vertex = pairs_.size();
      pairs_.push_back({hw::OperationId(i), npu});
    }
  }
  first[count] = pairs_.size();

  std::vector<std::pair<std::size_t, std::size_t>> edges;
  std::size_t vertices = pairs_.size();
  std::vector<std::size_t> ended_everywhere(count, none);
  std::fill(vertex_at.begin(), vertex_at.end(), none);
  for (std::uint32_t i = 0; i < count; ++i) {
    const hw::Operation& operation = operations[i];
    for (std::size_t v = first[i]; v < first[i + 1]; ++v) vertex_at[pairs_[v].npu.value] = v;
    const auto exists = [&](hw::OperationId id) { return id.value < count && id.value != i; };

    for (const hw::OperationId earlier : operation.after) {
      if (!exists(earlier)) continue;
      for (std::size_t v = first[earlier.value]; v < first[earlier.value + 1]; ++v) {
        const std::size_t later = vertex_at[pairs_[v].npu.value];
        if (later != none && later >= first[i]) edges.emplace_back(v, later);
      }
    }
    if (!operation.after_all.empty()) {
      const std::size_t may_start = vertices++;
      for (std::size_t v = first[i]; v < first[i + 1]; ++v) edges.emplace_back(may_start, v);
      for (const hw::OperationId earlier : operation.after_all) {
        if (!exists(earlier)) continue;
        std::size_t& ended = ended_everywhere[earlier.value];
        if (ended == none) {
          ended = vertices++;
          for (std::size_t v = first[earlier.value]; v < first[earlier.value + 1]; ++v)
            edges.emplace_back(v, ended);
        }
        edges.emplace_back(ended, may_start);
      }
    }
    if (operation.type == hw::OperationType::recv && matching.partner[i]) {
      const std::size_t send = matching.partner[i]->value;
      if (first[send] != first[send + 1] && first[i] != first[i + 1])
        edges.emplace_back(first[send], first[i]);
    }
  }
  graph_ = Graph(boost::edges_are_unsorted_multi_pass, edges.begin(), edges.end(), vertices);
}

std::vector<OperationAtNpu> OrderGraph::shortest_cycle(std::size_t start,
                                                       const std::vector<std::size_t>& component,
                                                       std::vector<std::size_t>& previous) const {
  std::deque<std::size_t> queue{start};
  while (!queue.empty()) {
    const std::size_t from = queue.front();
    queue.pop_front();
    for (auto [edge, end] = boost::out_edges(from, graph_); edge != end; ++edge) {
      const std::size_t to = boost::target(*edge, graph_);
      if (component[to] != component[start] || previous[to] != none) continue;
      previous[to] = from;
      if (to == start) {
        std::vector<OperationAtNpu> path;
        std::size_t v = from;
        for (; v != start; v = previous[v]) {
          if (is_pair(v)) path.push_back(pairs_[v]);
        }
        path.push_back(pairs_[start]);
        std::reverse(path.begin(), path.end());
        return path;
      }
      queue.push_back(to);
    }
  }
  return {};
}

std::vector<OrderGraph::Cycle> OrderGraph::cycles() const {
  const std::size_t vertices = boost::num_vertices(graph_);
  if (vertices == 0) return {};
  std::vector<std::size_t> component(vertices);
  const auto index = boost::get(boost::vertex_index, graph_);
  const std::size_t components =
      boost::strong_components(graph_, boost::make_iterator_property_map(component.begin(), index));
  if (components == vertices) return {};

  std::vector<std::size_t> size(components, 0);
  for (const std::size_t c : component) ++size[c];
  std::vector<std::size_t> previous(vertices, none);
  std::vector<Cycle> cycles;
  std::map<std::vector<std::uint32_t>, std::size_t> known;  // operations on the way round -> index in cycles
  for (std::size_t v = 0; v < pairs_.size(); ++v) {
    if (size[component[v]] < 2) continue;
    size[component[v]] = 0;
    Cycle cycle{shortest_cycle(v, component, previous), 0};
    std::vector<std::uint32_t> operations;
    for (const OperationAtNpu& pair : cycle.path) operations.push_back(pair.operation.value);
    const auto [place, added] = known.emplace(std::move(operations), cycles.size());
    if (added) {
      cycles.push_back(std::move(cycle));
    } else {
      ++cycles[place->second].also_at;
    }
  }
  return cycles;
}

std::uint64_t OrderGraph::depth() const {
  std::vector<std::size_t> backwards;  // topological_sort gives successors first
  backwards.reserve(boost::num_vertices(graph_));
  boost::topological_sort(graph_, std::back_inserter(backwards));
  std::vector<std::uint64_t> longest(boost::num_vertices(graph_), 0);
  std::uint64_t depth = 0;
  for (const std::size_t v : backwards) {
    for (auto [edge, end] = boost::out_edges(v, graph_); edge != end; ++edge) {
      longest[v] = std::max(longest[v], longest[boost::target(*edge, graph_)]);
    }
    if (is_pair(v)) ++longest[v];
    depth = std::max(depth, longest[v]);
  }
  return depth;
}

}  // namespace fredsim::trace
