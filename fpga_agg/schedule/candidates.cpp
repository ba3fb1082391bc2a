#include "fpga_agg/schedule/candidates.h"

#include <algorithm>
#include <cmath>

#include "fpga_agg/schedule/mixing.h"

namespace fredsim::agg {
namespace {

/// Times that differ by less are equal: rounding of sums.
constexpr double equal_times = 1 - 1e-9;

std::vector<double> totals(Timer& timer, const std::vector<Candidate>& candidates, double memory) {
  timer.set_memory(memory);
  std::vector<double> result;
  for (const Candidate& candidate : candidates) {
    double total = 0;
    for (const Round& round : candidate.rounds) total += timer.ns(round);
    result.push_back(total);
  }
  return result;
}

}  // namespace

Candidate assess(Timer& timer, std::vector<Round> rounds) {
  Candidate result;
  for (const Round& round : rounds) {
    const RoundTime time = timer.time(round);
    result.round_ns.push_back(time.ns);
    result.total_ns += time.ns;
    for (const CliqueTime& clique : time.cliques) {
      result.memory_needed = std::max(result.memory_needed, clique.memory_needed);
    }
  }
  result.sigma = sigma(rounds, timer.topology().site_count);
  result.exact = result.sigma == 0;
  result.rounds = std::move(rounds);
  return result;
}

double contraction_per_second(const Candidate& candidate) {
  if (candidate.total_ns <= 0) return 0;
  return -std::log(std::clamp(candidate.sigma, least_sigma, 1.0)) / (candidate.total_ns * 1e-9);
}

void rank(std::vector<Candidate>& candidates, Objective objective) {
  std::stable_sort(candidates.begin(), candidates.end(), [&](const Candidate& a, const Candidate& b) {
    if (objective == Objective::contraction) return contraction_per_second(a) > contraction_per_second(b);
    if (a.exact != b.exact) return a.exact;
    return a.exact ? a.total_ns < b.total_ns : a.sigma < b.sigma;
  });
}

std::optional<double> crossover(Timer& timer, const std::vector<Candidate>& candidates) {
  if (candidates.size() < 2) return std::nullopt;
  const double before = timer.conditions().memory;
  const auto unlimited = totals(timer, candidates, std::numeric_limits<double>::infinity());
  const auto best =
      static_cast<std::size_t>(std::min_element(unlimited.begin(), unlimited.end()) - unlimited.begin());
  const auto beaten = [&](double memory) {
    const std::vector<double> times = totals(timer, candidates, memory);
    return *std::min_element(times.begin(), times.end()) < times[best] * equal_times;
  };
  // The largest memory that any law asks for, then down in steps: the difference of two times need not be
  // monotonic.
  const UpdateSize& update = timer.conditions().update;
  double above = update.bytes * std::max<double>(update.expansion, timer.topology().site_count);
  double below = above;
  while (!beaten(below) && below > 1000) {
    above = below;
    below /= 1.05;
  }
  std::optional<double> result;
  if (below > 1000) {
    while (above - below > 0.5) {
      const double middle = (above + below) / 2;
      (beaten(middle) ? below : above) = middle;
    }
    result = std::ceil(below);
  }
  timer.set_memory(before);
  return result;
}

}  // namespace fredsim::agg
