#include "tb/plan/concurrency.h"

#include <algorithm>
#include <cstdint>

namespace fredsim::tb {

Concurrency::Concurrency(const hw::Workload& workload, const Order& order, const std::vector<bool>& chosen) {
  const std::size_t count = workload.operations.size();
  std::vector<std::size_t> position(count);
  for (std::size_t i = 0; i < count; ++i) position[order.operations[i].value] = i;

  // NPUs that order operations oppositely make a ring of dependencies; those that lead back are left out.
  const auto for_each_before = [&](hw::OperationId o, auto f) {
    for_each_dependency(workload.operations[o.value], [&](hw::OperationId before) {
      if (position[before.value] < position[o.value]) f(before.value);
    });
  };
  std::vector<std::uint32_t> depth(count, 0);
  for (const hw::OperationId o : order.operations) {
    for_each_before(o, [&](std::size_t b) { depth[o.value] = std::max(depth[o.value], depth[b] + 1); });
  }
  std::vector<hw::OperationId> by_depth = order.operations;
  std::stable_sort(by_depth.begin(), by_depth.end(),
                   [&](hw::OperationId a, hw::OperationId b) { return depth[a.value] < depth[b.value]; });

  // In before[o], bit k is the chosen operation numbered first[o] - 1 - k; first[o] chosen ones come ahead of
  // o.
  std::vector<Window> before(count);
  std::vector<std::size_t> first(count);
  for (const hw::OperationId o : by_depth) {
    first[o.value] = operations_.size();
    for_each_before(o, [&](std::size_t b) {
      const std::size_t distance = first[o.value] - first[b];
      if (distance < window) before[o.value] |= before[b] << distance;
      if (chosen[b] && distance <= window) before[o.value].set(distance - 1);
    });
    if (!chosen[o.value]) continue;
    operations_.push_back(o);
    before_.push_back(before[o.value]);
  }
}

}  // namespace fredsim::tb
