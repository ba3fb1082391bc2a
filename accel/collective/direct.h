#pragma once

#include "accel/collective/step.h"

namespace fredsim::accel {

/// Every rank exchanges with every other at once, in step d with the one d places further. `blocks[r]` is
/// what rank r has in the end (reduce-scatter) or from the start (all-gather).
void direct_reduce_scatter(const std::vector<Ranges>& blocks, std::uint32_t chunk, Steps& steps);
void direct_all_gather(const std::vector<Ranges>& blocks, std::uint32_t chunk, Steps& steps);

}  // namespace fredsim::accel
