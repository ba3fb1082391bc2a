#include "tb/plan/planes.h"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "tb/plan/group_coloring.h"

namespace fredsim::tb {
namespace {

/// Groups of NPUs of one class that go up from a switch of level 1, and which of them are in each other's
/// way.
class ClassGroups {
 public:
  explicit ClassGroups(const sw::Tree& tree) : tree_(tree) {}

  void add(std::size_t number, hw::OperationId operation, hw::Group members) {
    std::sort(members.begin(), members.end());
    if (tree_.level_above(members) == 1) return;
    const auto [found, fresh] = ids_.try_emplace(std::move(members), first_operation_.size());
    if (fresh) {
      first_operation_.push_back(operation);
      groups_.push_back(&found->first);
    }
    placed_.push_back({number, operation, found->second});
  }

  PlaneAssignment& assign(hw::TrafficClass c, const Concurrency& concurrency, PlaneAssignment& result) {
    if (placed_.empty()) return result;
    const GroupColoring coloring = color_groups(graph(concurrency));
    result.needed[hw::index(c)] = *std::max_element(coloring.colors_of.begin(), coloring.colors_of.end());
    const std::uint32_t planes = tree_.planes(2);
    std::vector<PlaneRange> ranges;
    for (std::size_t g = 0; g < groups_.size(); ++g) {
      const std::uint32_t count = std::max(1u, planes / coloring.colors_of[coloring.component[g]]);
      ranges.push_back({coloring.color[g] * count % planes, count});
    }
    for (const Placed& p : placed_) result.of_operation[p.operation.value] = ranges[p.group];
    add_turns(ranges, result);
    return result;
  }

 private:
  struct Placed {
    std::size_t number;
    hw::OperationId operation;
    std::size_t group;
  };

  GroupGraph graph(const Concurrency& concurrency) {
    for (std::size_t later = 0; later < placed_.size(); ++later) {
      for (std::size_t earlier = later; earlier-- > 0;) {
        const Placed& a = placed_[earlier];
        const Placed& b = placed_[later];
        if (b.number - a.number > Concurrency::window) break;
        if (a.group == b.group || b.number == a.number) continue;
        const std::pair<std::size_t, std::size_t> pair = std::minmax(a.group, b.group);
        if (edges_.count(pair) > 0 || !concurrency.together(a.number, b.number)) continue;
        if (meet(*groups_[a.group], *groups_[b.group])) edges_.insert(pair);
      }
    }
    GroupGraph graph(groups_.size());
    for (const auto& [a, b] : edges_) add_edge(a, b, graph);
    return graph;
  }

  /// Whether both go up from a common switch.
  bool meet(const hw::Group& a, const hw::Group& b) const {
    const std::uint32_t below = std::min(tree_.level_above(a), tree_.level_above(b));
    for (std::uint32_t level = 1; level < below; ++level) {
      std::set<std::uint32_t> subtrees;
      for (const hw::NpuId npu : a) subtrees.insert(tree_.subtree_of(npu, level));
      for (const hw::NpuId npu : b) {
        if (subtrees.count(tree_.subtree_of(npu, level)) > 0) return true;
      }
    }
    return false;
  }

  void add_turns(const std::vector<PlaneRange>& ranges, PlaneAssignment& result) const {
    std::map<std::uint32_t, Turns> by_plane;
    for (const auto& [a, b] : edges_) {
      if (ranges[a].first != ranges[b].first) continue;
      Turns& turns = by_plane[ranges[a].first];
      turns.reason = Turns::Reason::planes;
      turns.operations.push_back(first_operation_[a]);
      turns.operations.push_back(first_operation_[b]);
      ++turns.times;
    }
    for (auto& [plane, turns] : by_plane) {
      std::sort(turns.operations.begin(), turns.operations.end());
      turns.operations.erase(std::unique(turns.operations.begin(), turns.operations.end()),
                             turns.operations.end());
      result.turns.push_back(std::move(turns));
    }
  }

  const sw::Tree& tree_;
  std::map<hw::Group, std::size_t> ids_;
  std::vector<const hw::Group*> groups_;
  std::vector<hw::OperationId> first_operation_;  ///< by group
  std::vector<Placed> placed_;                    ///< ascending numbers
  std::set<std::pair<std::size_t, std::size_t>> edges_;
};

}  // namespace

PlaneAssignment assign_planes(const hw::Workload& workload, const Concurrency& concurrency,
                              const sw::Tree& tree) {
  PlaneAssignment result;
  if (tree.levels() == 1) {
    result.of_operation.assign(workload.operations.size(), {});
    return result;
  }
  // What is not among the operations of `concurrency` keeps this: unicasts all planes.
  result.of_operation.assign(workload.operations.size(), {0, tree.planes(2)});
  for (std::uint32_t o = 0; o < workload.operations.size(); ++o) {
    if (workload.operations[o].type != hw::OperationType::barrier) continue;
    result.of_operation[o] = {o % tree.planes(2), 1};
  }
  std::vector<ClassGroups> classes(hw::traffic_classes, ClassGroups(tree));
  for (std::size_t number = 0; number < concurrency.operations().size(); ++number) {
    const hw::OperationId o = concurrency.operations()[number];
    const hw::Operation& operation = workload.operations[o.value];
    classes[hw::index(operation.traffic_class)].add(number, o, operation.npus);
  }
  for (std::size_t c = 0; c < hw::traffic_classes; ++c) {
    classes[c].assign(static_cast<hw::TrafficClass>(c), concurrency, result);
  }
  return result;
}

}  // namespace fredsim::tb
