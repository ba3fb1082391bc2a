#pragma once

#include <cstdint>
#include <limits>
#include <vector>

#include "hw/core/records.h"
#include "tb/plan/order.h"
#include "tb/plan/plan.h"
#include "tb/plan/shapes.h"

namespace fredsim::tb {

/// Flows of one class that are to share a route set, because they can be in flight together.
struct Batches {
  static constexpr std::uint32_t none = std::numeric_limits<std::uint32_t>::max();

  std::vector<ShapeSet> shapes;        ///< of each batch; disjoint ports, routed together
  std::vector<std::uint32_t> of_flow;  ///< index = FlowId: its batch; none for flows without a shape
  std::vector<Turns> turns;
};

/// Gathers the flows of a switch into batches, greedily: flow after flow, in the order of Concurrency, each
/// joins the batch with the most flows that can be in flight together with it (of the last 512 of its class),
/// that share no port with it (or all), and that still route with it; else it begins a batch.
///
/// `shape_of`: index = FlowId, Batches::none for flows that need no route set (unicasts, control). Throws
/// InputError for a conflict when the policy is `fail`.
Batches gather_batches(const hw::Workload&, const Order&, const std::vector<hw::Flow>&,
                       const std::vector<std::uint32_t>& shape_of, const Shapes&, RoutingMemory&,
                       ConflictPolicy policy);

}  // namespace fredsim::tb
