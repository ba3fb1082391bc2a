#pragma once

#include <cstdint>
#include <vector>

#include "fpga_agg/schedule/paths.h"
#include "fpga_agg/schedule/round.h"

namespace fredsim::agg {

/// When the sites of a clique start to send, and what follows. A source sends one stream to all the others,
/// so it has one start for all of them.
struct Alignment {
  std::vector<hw::Time> start;  ///< by member; the earliest is 0
  double skew_ns = 0;           ///< between the first and the last arrival, at the member where it is worst
  double last_arrival_ns = 0;   ///< of a stream's beginning, anywhere
  /// By member: the first bytes of the streams of the others arrive there, in the order of the clique.
  std::vector<std::vector<double>> arrivals_ns;
};

/// All start at once.
Alignment simultaneous(const Clique& clique, const ShortestPaths& paths);

/// The starts with the least worst skew, and of those the earliest ones. Exact: with s the starts and d the
/// latencies, every pair of sources i, k asks s_k + d_kj - s_i - d_ij <= skew at every other member j. Those
/// are difference constraints, which have a solution as long as no cycle of sources has a mean weight
/// max_j(d_kj - d_ij) above the skew: the least skew is the greatest cycle mean (Karp's algorithm), and the
/// longest paths are the earliest starts. Three sites with symmetric latencies always reach skew 0.
Alignment aligned(const Clique& clique, const ShortestPaths& paths);

/// What follows from given starts, one for each member.
Alignment with_starts(const Clique& clique, const ShortestPaths& paths, std::vector<hw::Time> starts);

}  // namespace fredsim::agg
