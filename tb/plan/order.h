#pragma once

#include <vector>

#include "hw/core/records.h"

namespace fredsim::tb {

/// The order that all NPUs keep, without which reductions deadlock: two that send A, B and B, A into one join
/// wait for ever. It covers all operations, of every class, so that dependencies through other classes and
/// compute count.
struct Order {
  std::vector<hw::OperationId> operations;           ///< every operation once
  std::vector<std::vector<hw::OperationId>> of_npu;  ///< index = NpuId: the operations it takes part in
};

/// A topological order of all dependencies (`after`, `after_all`, a receive after its send), ties by file
/// order. NPUs may order operations oppositely: then the operations have a cycle although their parts at the
/// NPUs have none. Such operations stand together in `operations`, and each NPU keeps its own order of them,
/// the one of its parts. Throws InternalError when the parts have a cycle, which the reader of traces
/// refuses.
Order make_order(const hw::Workload&);

/// Calls f(OperationId) for every operation that `operation` depends on.
template <class F>
void for_each_dependency(const hw::Operation& operation, F f) {
  for (const hw::OperationId o : operation.after) f(o);
  for (const hw::OperationId o : operation.after_all) f(o);
  if (operation.type == hw::OperationType::recv && operation.partner) f(*operation.partner);
}

}  // namespace fredsim::tb
