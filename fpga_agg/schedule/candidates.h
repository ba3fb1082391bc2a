#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "fpga_agg/schedule/round.h"
#include "fpga_agg/schedule/timing.h"

namespace fredsim::agg {

/// A schedule and what it costs and does.
struct Candidate {
  std::vector<Round> rounds;
  std::vector<double> round_ns;
  double total_ns = 0;
  double sigma = 1;
  bool exact = false;        ///< every site ends with the global average
  double memory_needed = 0;  ///< bytes per aggregator for full speed
};

enum class Objective : std::uint8_t {
  exact,        ///< least time to the exact average; schedules that do not reach it come last
  contraction,  ///< most contraction per second, -ln(sigma) / total time
};

/// The smallest sigma that contraction counts: half the spacing of FP16 numbers below 1 (2^-11). Without a
/// floor every exact schedule would contract infinitely fast.
constexpr double least_sigma = 1.0 / 2048;

/// Times and mixing of a schedule. Rounds must be normalized.
Candidate assess(Timer& timer, std::vector<Round> rounds);

/// -ln(sigma) per second, sigma no smaller than least_sigma.
double contraction_per_second(const Candidate& candidate);

/// Best first. Equals keep their order.
void rank(std::vector<Candidate>& candidates, Objective objective);

/// The memory of each aggregator, in bytes, from which on that candidate is the fastest which is so with
/// unlimited memory; below it another one is faster. Nothing when it is so with any memory (looked for down
/// to 1 KB), or when there is no other. Leaves the timer's memory as it was.
std::optional<double> crossover(Timer& timer, const std::vector<Candidate>& candidates);

}  // namespace fredsim::agg
