#include "tb/plan/order.h"

#include <algorithm>
#include <boost/graph/compressed_sparse_row_graph.hpp>
#include <boost/graph/strong_components.hpp>
#include <functional>
#include <numeric>
#include <queue>
#include <utility>

#include "hw/core/error.h"

namespace fredsim::tb {
namespace {

using Vertex = std::uint32_t;
using Edge = std::pair<Vertex, Vertex>;
using Graph = boost::compressed_sparse_row_graph<boost::directedS, boost::no_property, boost::no_property,
                                                 boost::no_property, Vertex, std::size_t>;

Graph make_graph(const std::vector<Edge>& edges, std::size_t vertices) {
  return Graph(boost::edges_are_unsorted_multi_pass, edges.begin(), edges.end(),
               static_cast<Vertex>(vertices));
}

/// Kahn's algorithm, the lowest ready vertex first. Vertices on a cycle, and behind one, are left out.
std::vector<Vertex> topological_order(const std::vector<Edge>& edges, std::size_t vertices) {
  const Graph graph = make_graph(edges, vertices);
  std::vector<std::uint32_t> waits(vertices, 0);
  for (const auto& [from, to] : edges) ++waits[to];

  std::priority_queue<Vertex, std::vector<Vertex>, std::greater<>> ready;
  for (Vertex v = 0; v < vertices; ++v) {
    if (waits[v] == 0) ready.push(v);
  }
  std::vector<Vertex> order;
  order.reserve(vertices);
  while (!ready.empty()) {
    const Vertex v = ready.top();
    ready.pop();
    order.push_back(v);
    for (auto [e, end] = boost::out_edges(v, graph); e != end; ++e) {
      const Vertex next = boost::target(*e, graph);
      if (--waits[next] == 0) ready.push(next);
    }
  }
  return order;
}

/// Operations that depend on each other in a ring, each such set a component, one operation alone another.
/// Components are numbered by their first operation in file order.
struct Components {
  std::vector<Vertex> of;                    ///< index = operation
  std::vector<std::vector<Vertex>> members;  ///< ascending
};

Components find_components(const std::vector<Edge>& dependencies, std::size_t operations) {
  const Graph graph = make_graph(dependencies, operations);
  std::vector<Vertex> found(operations);
  const auto index = boost::get(boost::vertex_index, graph);
  const std::size_t count =
      boost::strong_components(graph, boost::make_iterator_property_map(found.begin(), index));

  Components components;
  constexpr Vertex unnamed = ~Vertex{0};
  std::vector<Vertex> name(count, unnamed);
  components.of.resize(operations);
  for (Vertex o = 0; o < operations; ++o) {
    Vertex& n = name[found[o]];
    if (n == unnamed) {
      n = static_cast<Vertex>(components.members.size());
      components.members.emplace_back();
    }
    components.of[o] = n;
    components.members[n].push_back(o);
  }
  return components;
}

/// The parts of the operations of one component, ordered by the dependencies among the parts.
class PartOrder {
 public:
  PartOrder(const hw::Workload& workload, const std::vector<Vertex>& operations) : workload_(workload) {
    for (const Vertex o : operations) {
      first_.emplace_back(o, parts_.size());
      for (const hw::NpuId npu : workload.operations[o].npus) parts_.push_back({hw::OperationId(o), npu});
    }
    for (const Vertex o : operations) add_edges(o);
  }

  struct Part {
    hw::OperationId operation;
    hw::NpuId npu;
  };
  std::vector<Part> ordered() const {
    const std::vector<Vertex> order = topological_order(edges_, parts_.size());
    if (order.size() != parts_.size()) {
      throw hw::InternalError(
          "the parts of operations that depend on each other are cyclic, first operation: " +
          workload_.operations[first_.front().first].id);
    }
    std::vector<Part> parts;
    for (const Vertex v : order) parts.push_back(parts_[v]);
    return parts;
  }

 private:
  /// Index of the first part of operation `o`; none for one of another component.
  std::optional<std::size_t> first_of(hw::OperationId o) const {
    const auto found =
        std::lower_bound(first_.begin(), first_.end(), std::make_pair(o.value, std::size_t{0}));
    if (found == first_.end() || found->first != o.value) return std::nullopt;
    return found->second;
  }

  void add_edges(Vertex o) {
    const hw::Operation& operation = workload_.operations[o];
    const std::size_t own = *first_of(hw::OperationId(o));
    const auto add = [&](hw::OperationId before, bool same_npu) {
      const std::optional<std::size_t> first = first_of(before);
      if (!first) return;
      const hw::Group& group = workload_.operations[before.value].npus;
      for (std::size_t b = 0; b < group.size(); ++b) {
        for (std::size_t a = 0; a < operation.npus.size(); ++a) {
          if (same_npu && group[b] != operation.npus[a]) continue;
          edges_.emplace_back(static_cast<Vertex>(*first + b), static_cast<Vertex>(own + a));
        }
      }
    };
    for (const hw::OperationId before : operation.after) add(before, true);
    for (const hw::OperationId before : operation.after_all) add(before, false);
    if (operation.type == hw::OperationType::recv && operation.partner) add(*operation.partner, false);
  }

  const hw::Workload& workload_;
  std::vector<Part> parts_;
  std::vector<std::pair<Vertex, std::size_t>> first_;  ///< operation, index of its first part; ascending
  std::vector<Edge> edges_;
};

}  // namespace

Order make_order(const hw::Workload& workload) {
  const std::size_t count = workload.operations.size();
  std::vector<Edge> dependencies;
  for (Vertex o = 0; o < count; ++o) {
    for_each_dependency(workload.operations[o],
                        [&](hw::OperationId before) { dependencies.emplace_back(before.value, o); });
  }
  const Components components = find_components(dependencies, count);

  std::vector<Edge> between;
  for (const auto& [before, after] : dependencies) {
    if (components.of[before] != components.of[after]) {
      between.emplace_back(components.of[before], components.of[after]);
    }
  }

  Order order;
  order.operations.reserve(count);
  order.of_npu.resize(workload.npus);
  std::vector<bool> placed(count, false);
  const auto place = [&](hw::OperationId o, hw::NpuId npu) {
    if (!placed[o.value]) order.operations.push_back(o);
    placed[o.value] = true;
    order.of_npu[npu.value].push_back(o);
  };
  for (const Vertex c : topological_order(between, components.members.size())) {
    const std::vector<Vertex>& members = components.members[c];
    if (members.size() == 1) {
      const hw::OperationId o(members.front());
      for (const hw::NpuId npu : workload.operations[o.value].npus) place(o, npu);
    } else {
      for (const PartOrder::Part part : PartOrder(workload, members).ordered())
        place(part.operation, part.npu);
    }
  }
  return order;
}

}  // namespace fredsim::tb
