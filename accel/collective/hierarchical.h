#pragma once

#include "accel/collective/step.h"

namespace fredsim::accel {

/// Rings in two dimensions: `groups` are equally large and near each other within (the NPUs of one
/// first-level switch, a row of a mesh); the j-th ranks of all groups make a ring across. `blocks[r]` is what
/// rank r has in the end (reduce-scatter) or from the start (all-gather).
///
/// Reduce-scatter: within every group, where rank j is left with the blocks of all j-th ranks, then across.
void hierarchical_reduce_scatter(const std::vector<Ranks>& groups, const std::vector<Ranges>& blocks,
                                 std::uint32_t chunk, Steps& steps);
/// All-gather: across, then within.
void hierarchical_all_gather(const std::vector<Ranks>& groups, const std::vector<Ranges>& blocks,
                             std::uint32_t chunk, Steps& steps);

/// The j-th ranks of all groups, for every j: columns from rows.
std::vector<Ranks> transposed(const std::vector<Ranks>& groups);

}  // namespace fredsim::accel
