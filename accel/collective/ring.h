#pragma once

#include "accel/collective/step.h"

namespace fredsim::accel {

/// Ranks in a ring, each sending to the next. `blocks[i]` is what ring[i] has in the end (reduce-scatter) or
/// from the start (all-gather).
///
/// Reduce-scatter: the block of ring[i] starts at ring[i + 1] and collects a term at every rank on its way to
/// ring[i], N - 1 steps.
void ring_reduce_scatter(const Ranks& ring, const std::vector<Ranges>& blocks, std::uint32_t chunk,
                         Steps& steps);
/// All-gather: every block goes once round, N - 1 steps.
void ring_all_gather(const Ranks& ring, const std::vector<Ranges>& blocks, std::uint32_t chunk, Steps& steps);

}  // namespace fredsim::accel
