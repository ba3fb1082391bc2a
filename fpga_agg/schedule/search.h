#pragma once

#include <vector>

#include "fpga_agg/schedule/candidates.h"
#include "fpga_agg/schedule/timing.h"

namespace fredsim::agg {

/// Up to so many sites every schedule of the kinds below is looked at; beyond, a local search.
constexpr std::uint32_t complete_search_sites = 9;

/// The best schedules, best first, each the best of its kind; a kind is the sizes of the cliques in each
/// round. All sites at once is always among them.
///
/// Objective exact: sequences of rounds each of which completes the exact average of larger groups, so that
/// the last one completes it for all. Up to nine sites all of up to three rounds, equal cliques and unequal;
/// beyond, grids of sites whose lines along each axis are the cliques of a round, for every way to write the
/// number of sites as a product, with the sites' places found by simulated annealing.
/// Objective contraction: the same, and schedules of one to four rounds of any cliques found by simulated
/// annealing.
/// Up to nine sites also the rounds in which every pair meets exactly once.
std::vector<Candidate> search(Timer& timer, Objective objective);

/// Exact averages by grids, for any number of sites: one candidate for each factorization in two or more.
std::vector<Candidate> search_grids(Timer& timer);

/// Schedules of `rounds` rounds with high contraction per second, from `start` (normalized rounds).
Candidate improve_contraction(Timer& timer, std::vector<Round> start);

}  // namespace fredsim::agg
