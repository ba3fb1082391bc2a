#include "fpga_agg/schedule/alignment.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace fredsim::agg {
namespace {

using Latencies = std::vector<std::vector<double>>;

Latencies latencies(const Clique& clique, const ShortestPaths& paths) {
  Latencies d(clique.size(), std::vector<double>(clique.size(), 0.0));
  for (std::size_t i = 0; i < clique.size(); ++i) {
    for (std::size_t j = 0; j < clique.size(); ++j) {
      if (i != j) d[i][j] = paths.latency(clique[i], clique[j]).ns();
    }
  }
  return d;
}

/// weights[k][i]: how much later than source k source i must start at the least, plus the skew allowed.
Latencies constraint_weights(const Latencies& d) {
  const std::size_t n = d.size();
  Latencies weights(n, std::vector<double>(n, 0.0));
  for (std::size_t k = 0; k < n; ++k) {
    for (std::size_t i = 0; i < n; ++i) {
      if (i == k) continue;
      double most = -std::numeric_limits<double>::infinity();
      for (std::size_t j = 0; j < n; ++j) {
        if (j != i && j != k) most = std::max(most, d[k][j] - d[i][j]);
      }
      weights[k][i] = most;
    }
  }
  return weights;
}

/// The greatest mean weight of a cycle of the complete graph (Karp 1978).
double greatest_cycle_mean(const Latencies& weights) {
  const std::size_t n = weights.size();
  const double none = -std::numeric_limits<double>::infinity();
  // walk[k][v]: the heaviest walk of k edges from node 0 to v.
  Latencies walk(n + 1, std::vector<double>(n, none));
  walk[0][0] = 0;
  for (std::size_t k = 1; k <= n; ++k) {
    for (std::size_t v = 0; v < n; ++v) {
      for (std::size_t u = 0; u < n; ++u) {
        if (u != v) walk[k][v] = std::max(walk[k][v], walk[k - 1][u] + weights[u][v]);
      }
    }
  }
  double greatest = none;
  for (std::size_t v = 0; v < n; ++v) {
    if (walk[n][v] == none) continue;
    double least = std::numeric_limits<double>::infinity();
    for (std::size_t k = 0; k < n; ++k) {
      if (walk[k][v] != none) least = std::min(least, (walk[n][v] - walk[k][v]) / static_cast<double>(n - k));
    }
    greatest = std::max(greatest, least);
  }
  return greatest;
}

/// The earliest starts, from 0 on, that keep the skew. The cycle that fixes the skew has weight 0 but for
/// rounding, which must not start a chase around it.
std::vector<double> earliest_starts(const Latencies& weights, double skew) {
  constexpr double rounding_ns = 1e-6;
  std::vector<double> start(weights.size(), 0.0);
  for (std::size_t pass = 0; pass < weights.size(); ++pass) {
    bool changed = false;
    for (std::size_t k = 0; k < start.size(); ++k) {
      for (std::size_t i = 0; i < start.size(); ++i) {
        if (i == k || start[k] + weights[k][i] - skew <= start[i] + rounding_ns) continue;
        start[i] = start[k] + weights[k][i] - skew;
        changed = true;
      }
    }
    if (!changed) break;
  }
  return start;
}

}  // namespace

Alignment with_starts(const Clique& clique, const ShortestPaths& paths, std::vector<hw::Time> starts) {
  Alignment result;
  result.start = std::move(starts);
  for (std::size_t to = 0; to < clique.size(); ++to) {
    std::vector<double> arrivals;
    for (std::size_t from = 0; from < clique.size(); ++from) {
      if (from != to) arrivals.push_back((result.start[from] + paths.latency(clique[from], clique[to])).ns());
    }
    if (!arrivals.empty()) {
      const auto [first, last] = std::minmax_element(arrivals.begin(), arrivals.end());
      result.skew_ns = std::max(result.skew_ns, *last - *first);
      result.last_arrival_ns = std::max(result.last_arrival_ns, *last);
    }
    result.arrivals_ns.push_back(std::move(arrivals));
  }
  return result;
}

Alignment simultaneous(const Clique& clique, const ShortestPaths& paths) {
  return with_starts(clique, paths, std::vector<hw::Time>(clique.size()));
}

Alignment aligned(const Clique& clique, const ShortestPaths& paths) {
  // With two sites one stream arrives at each: there is nothing to align.
  if (clique.size() < 3) return simultaneous(clique, paths);
  const Latencies weights = constraint_weights(latencies(clique, paths));
  const double skew = std::max(0.0, greatest_cycle_mean(weights));
  std::vector<hw::Time> starts;
  for (const double ns : earliest_starts(weights, skew)) {
    starts.push_back(hw::Time::fs(std::llround(ns * 1e6)));
  }
  return with_starts(clique, paths, std::move(starts));
}

}  // namespace fredsim::agg
