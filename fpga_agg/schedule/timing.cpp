#include "fpga_agg/schedule/timing.h"

#include <algorithm>

namespace fredsim::agg {
namespace {

/// Alignments whose skew is rounding only (times are whole femtoseconds).
constexpr double no_skew_ns = 1e-3;

/// A local search visits more cliques than are worth keeping.
constexpr std::size_t most_geometries = 50'000;

}  // namespace

Timer::Timer(const Topology& topology, Conditions conditions)
    : topology_(topology), paths_(topology), conditions_(conditions) {}

const Timer::Geometry& Timer::geometry(const Clique& clique) {
  if (geometries_.size() > most_geometries) geometries_.clear();
  const auto [found, added] = geometries_.try_emplace(bits(clique));
  if (added) {
    found->second.simultaneous = simultaneous(clique, paths_);
    found->second.aligned = conditions_.start == Start::arrival_aligned ? agg::aligned(clique, paths_)
                                                                        : found->second.simultaneous;
    for (Alignment* alignment : {&found->second.aligned, &found->second.simultaneous}) {
      if (alignment->skew_ns >= no_skew_ns) continue;
      alignment->skew_ns = 0;
      for (std::vector<double>& arrivals : alignment->arrivals_ns) {
        if (!arrivals.empty())
          arrivals.assign(arrivals.size(), *std::max_element(arrivals.begin(), arrivals.end()));
      }
    }
  }
  return found->second;
}

const Alignment& Timer::alignment(const Clique& clique) {
  const Geometry& geometry = this->geometry(clique);
  const UpdateSize& update = conditions_.update;
  const double whole = conditions_.organization == Organization::accumulate_on_arrival
                           ? update.expansion * update.bytes
                           : update.bytes * (static_cast<double>(clique.size()) - 2);
  return geometry.aligned.skew_ns > 0 && conditions_.memory >= whole ? geometry.simultaneous
                                                                     : geometry.aligned;
}

double Timer::cap(const Alignment& alignment) const {
  if (!conditions_.copies.aggregate) return std::numeric_limits<double>::infinity();
  double least = std::numeric_limits<double>::infinity();
  for (const std::vector<double>& arrivals : alignment.arrivals_ns) {
    least = std::min(least,
                     rate_within(conditions_.organization, arrivals, conditions_.memory, conditions_.update));
  }
  return least;
}

RoundTime Timer::time(const Round& round) {
  RoundTime result;
  result.cliques.resize(round.size());
  std::vector<double> caps;
  for (std::size_t c = 0; c < round.size(); ++c) {
    result.cliques[c].alignment = alignment(round[c]);
    caps.push_back(cap(result.cliques[c].alignment));
  }
  const std::vector<CliqueRate> rates =
      clique_rates(topology_, paths_, round, conditions_.contention, caps, conditions_.copies);
  const std::vector<CliqueRate> unlimited = clique_rates(
      topology_, paths_, round, conditions_.contention,
      std::vector<double>(round.size(), std::numeric_limits<double>::infinity()), conditions_.copies);
  for (std::size_t c = 0; c < round.size(); ++c) {
    if (round[c].size() < 2) continue;
    CliqueTime& clique = result.cliques[c];
    clique.rate = rates[c];
    clique.ns = clique.alignment.last_arrival_ns + conditions_.update.bytes / clique.rate.bytes_per_s * 1e9;
    for (const std::vector<double>& arrivals : geometry(round[c]).aligned.arrivals_ns) {
      clique.memory_needed = std::max(
          clique.memory_needed,
          memory_needed(conditions_.organization, arrivals, unlimited[c].bytes_per_s, conditions_.update));
    }
    result.ns = std::max(result.ns, clique.ns);
  }
  return result;
}

double Timer::ns(const Round& round) {
  std::vector<double> caps;
  std::vector<double> last;
  for (const Clique& clique : round) {
    const Alignment& a = alignment(clique);
    caps.push_back(cap(a));
    last.push_back(a.last_arrival_ns);
  }
  const std::vector<CliqueRate> rates =
      clique_rates(topology_, paths_, round, conditions_.contention, caps, conditions_.copies);
  double longest = 0;
  for (std::size_t c = 0; c < round.size(); ++c) {
    if (round[c].size() < 2) continue;
    longest = std::max(longest, last[c] + conditions_.update.bytes / rates[c].bytes_per_s * 1e9);
  }
  return longest;
}

}  // namespace fredsim::agg
