#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "hw/core/records.h"
#include "tb/plan/concurrency.h"
#include "tb/plan/plan.h"
#include "tb/plan/shapes.h"
#include "tb/plan/switch_traffic.h"

namespace fredsim::tb {

/// Crossings of one class that are to share a route set, because they can be in flight together.
struct Batches {
  std::vector<ShapeSet> shapes;            ///< of each batch; disjoint ports, routed together
  std::vector<std::uint32_t> of_crossing;  ///< index into SwitchTraffic::crossings: its batch
  std::vector<Turns> turns;
};

/// Gathers what crosses the switch `node` into batches, greedily: crossing after crossing, in the order of
/// Concurrency, each joins the batch with the most crossings that can be in flight together with it (of the
/// last 512 of its class), that share no port with it (or all), and that still route with it; else it begins
/// a batch.
///
/// Throws InputError for a conflict when the policy is `fail`.
Batches gather_batches(const hw::Workload&, const Concurrency&, const SwitchTraffic&, RoutingMemory&,
                       ConflictPolicy policy, const sw::TreeSwitch& node);

}  // namespace fredsim::tb
