#include "tb/plan/placement_cost.h"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

namespace fredsim::tb {
namespace {

using Group = std::vector<std::uint32_t>;

/// The worst link of a mesh, and a little of all links, so that shorter ways win among equals.
double mesh_cost(const sw::Mesh& mesh, const std::vector<Group>& groups) {
  std::map<std::pair<std::uint32_t, sw::Side>, double> over;
  double all = 0;
  for (Group group : groups) {
    std::sort(group.begin(), group.end());
    const auto size = static_cast<double>(group.size());
    for (std::size_t i = 0; i < group.size(); ++i) {
      const std::uint32_t end = group[(i + 1) % group.size()];
      for (std::uint32_t node = group[i]; node != end;) {
        const sw::Side side = mesh.towards(node, end);
        over[{node, side}] += 2 * (size - 1) / size;
        all += 2 * (size - 1) / size;
        node = *mesh.neighbour(node, side);
      }
    }
  }
  double worst = 0;
  for (const auto& [link, load] : over) worst = std::max(worst, load);
  return worst + 1e-4 * all;
}

double tree_cost(const sw::Tree& tree, const std::vector<Group>& groups) {
  double worst = 0, all = 0;
  for (std::uint32_t level = 1; level < tree.levels(); ++level) {
    std::map<std::uint32_t, double> up;
    for (const Group& group : groups) {
      std::set<std::uint32_t> subtrees;
      for (const std::uint32_t npu : group) subtrees.insert(tree.subtree_of(hw::NpuId(npu), level));
      if (subtrees.size() == 1) continue;
      for (const std::uint32_t subtree : subtrees) up[subtree] += 1, all += 1;
    }
    for (const auto& [subtree, load] : up) worst = std::max(worst, load);
  }
  return worst + 1e-4 * all;
}

}  // namespace

ClassLoads loads_of(const hw::Workload& workload) {
  std::vector<ClassLoads> by_npu(workload.npus);
  for (const hw::Operation& operation : workload.operations) {
    const bool io = operation.type == hw::OperationType::load || operation.type == hw::OperationType::store;
    if (io || operation.npus.size() < 2) continue;
    for (const hw::NpuId npu : operation.npus)
      by_npu[npu.value][hw::index(operation.traffic_class)] += static_cast<double>(operation.bytes);
  }
  ClassLoads most{};
  for (const ClassLoads& loads : by_npu) {
    for (std::size_t c = 0; c < most.size(); ++c) most[c] = std::max(most[c], loads[c]);
  }
  return most;
}

double placement_cost(const PlanOptions& system, const accel::Strategy& strategy,
                      const accel::Placement& placement, const ClassLoads& loads) {
  const auto classes = accel::groups_of(strategy, placement);
  double cost = 0;
  for (std::size_t c = 0; c < classes.size(); ++c) {
    if (classes[c].empty() || loads[c] == 0) continue;
    cost += loads[c] * (system.mesh ? mesh_cost(system.mesh->mesh, classes[c])
                                    : tree_cost(sw::Tree(system.tree), classes[c]));
  }
  return cost;
}

}  // namespace fredsim::tb
