#pragma once

#include "accel/collective/step.h"

namespace fredsim::accel {

/// Recursive halving and doubling (Thakur, Rabenseifner, Gropp 2005) over any number of ranks. With 2^k + f
/// of them, f extra ranks fold: each gives all it has to its neighbour, which takes part for both and gives
/// the result back. `blocks[r]` is what rank r has in the end (reduce-scatter) or from the start
/// (all-gather).
void halving_reduce_scatter(const std::vector<Ranges>& blocks, std::uint32_t chunk, Steps& steps);
void doubling_all_gather(const std::vector<Ranges>& blocks, std::uint32_t chunk, Steps& steps);
/// Halving, then doubling; extra ranks are given only the result.
void halving_doubling_all_reduce(const std::vector<Ranges>& blocks, std::uint32_t chunk, Steps& steps);

}  // namespace fredsim::accel
