#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "fpga_agg/schedule/round.h"

namespace fredsim::agg {

/// What averaging in cliques does to the sites' models. A round is the matrix W with W[i][j] = 1 / |S| where
/// i and j share the clique S, else 0; rounds multiply from the left. Rounds must be normalized.

/// The sites' values after the rounds.
std::vector<double> average(const std::vector<Round>& rounds, std::vector<double> values);

/// sigma = ||W_T ... W_1 - J/n||_2: by how much the rounds shrink what the sites differ by, at the least. 0
/// is an exact global average (and then exactly 0), 1 is no progress for some difference.
double sigma(const std::vector<Round>& rounds, std::uint32_t sites);

/// sigma to about 1 %, by power iteration: for searches.
double estimated_sigma(const std::vector<Round>& rounds, std::uint32_t sites);

/// Whether every site ends with the global average, but for rounding.
bool is_exact(const std::vector<Round>& rounds, std::uint32_t sites);

/// The second largest eigenvalue of the mean of the rounds' matrices: the contraction per round of a
/// schedule that draws them by chance.
double mean_second_eigenvalue(const std::vector<Round>& rounds, std::uint32_t sites);

/// After how many rounds, repeated from the first as often as need be, everything each site started with has
/// reached every site, in whatever weight. Nothing when it never does.
std::optional<std::uint32_t> rounds_to_all_informed(const std::vector<Round>& rounds, std::uint32_t sites);

}  // namespace fredsim::agg
