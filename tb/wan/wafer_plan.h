#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "hw/core/records.h"
#include "tb/configuration/configuration.h"
#include "tb/plan/plan.h"

namespace fredsim::tb {

/// What the wafer of a site does in a global all-reduce; all sites have the same. NPU 0 is the boundary NPU,
/// whose link to the aggregator is the site's line.
///   begin     a gate: the testbench ends it when the site's computation is over
///   reduce    reduce-scatter among all NPUs
///   collect   gather: the shards go to the boundary NPU, each padded to the longest
///   exchange  a gate: the sites' rounds over the WAN
///   spread    scatter: the shards of the sum go from the boundary NPU to the others
///   publish   all-gather among all NPUs
struct WaferPlan {
  static constexpr hw::OperationId begin{0}, reduce{1}, collect{2}, exchange{3}, spread{4}, publish{5};
  static constexpr std::uint32_t operations = 6;

  Configuration configuration;
  hw::Workload workload;
  Plan plan;
  std::uint64_t elements = 0;       ///< of an update
  std::uint64_t element_bytes = 0;  ///< of one of them
  std::uint64_t shard_bytes = 0;    ///< of the longest shard
};

/// For the wafers of the file at `path`, which has a tree of switches or a single one and says nothing of
/// data. Throws InputError.
std::shared_ptr<const WaferPlan> plan_wafer(const std::string& path, const Configuration& wan,
                                            std::uint64_t elements);

}  // namespace fredsim::tb
