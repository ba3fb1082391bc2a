#pragma once

#include <cstdint>
#include <vector>

#include "fpga_agg/schedule/round.h"

namespace fredsim::agg {

/// Every partition of `sites` sites into cliques of `size` (a divisor), in lexicographic order. Nine sites in
/// threes: 280.
std::vector<Round> equal_partitions(std::uint32_t sites, std::uint32_t size);

/// Every partition, but for that of one clique, whose sizes have a common divisor above 1: the equal ones,
/// and those that merge some of their cliques ({3, 6} of nine). Only such rounds can be part of an exact
/// average in which every round completes the average of whole groups. For up to nine sites.
std::vector<Round> composite_partitions(std::uint32_t sites);

/// Whether the round `next` turns the exact average within each group of `groups` into one within larger
/// groups, and these; groups and result are bit sets in the order of their lowest bits. Within a group J of
/// the result every clique S of the round must meet every earlier group B in |S| |B| / |J| sites, so that all
/// weights become equal. Empty when that is not so.
std::vector<std::uint64_t> joined(const std::vector<std::uint64_t>& groups, const Round& next);

/// Rounds, as indices into `pool`, in which every pair of sites is in one clique exactly once, with the least
/// sum of `cost`. Complete search; nine sites in threes give the four classes of lines of the affine plane
/// AG(2,3). Empty when there are none. All cliques of the pool must have `size` sites.
std::vector<std::size_t> every_pair_once(const std::vector<Round>& pool, const std::vector<double>& cost,
                                         std::uint32_t sites, std::uint32_t size);

}  // namespace fredsim::agg
