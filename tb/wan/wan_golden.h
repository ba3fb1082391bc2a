#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "tb/configuration/configuration.h"
#include "tb/wan/wan_plan.h"

namespace fredsim::tb {

/// How many first updates, at the most, a site's value is the sum of after all rounds.
std::uint64_t most_updates(const WanPlan& plan);

/// The sites' first updates, from the data pattern: exact data stay exact through all rounds. Throws
/// InputError where they cannot.
std::vector<std::vector<std::byte>> first_updates(const Configuration& configuration, const WanPlan& plan);

/// What every site must have after a round, from what all had before: the sum of the others' updates, added
/// in the order of the sites in the accumulators' format and rounded once, and its own added to that. By the
/// definition of the sum, without slots, packets or time. `rounded` data have these bits only where the
/// aggregator adds in this order.
std::vector<std::vector<std::byte>> after_round(const Configuration& configuration,
                                                const std::vector<CliquePlan>& round,
                                                const std::vector<std::vector<std::byte>>& before);

}  // namespace fredsim::tb
