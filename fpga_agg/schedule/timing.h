#pragma once

#include <cstdint>
#include <limits>
#include <map>
#include <string>
#include <vector>

#include "fpga_agg/schedule/alignment.h"
#include "fpga_agg/schedule/memory_law.h"
#include "fpga_agg/schedule/paths.h"
#include "fpga_agg/schedule/rates.h"
#include "fpga_agg/schedule/topology.h"

namespace fredsim::agg {

enum class Start : std::uint8_t { arrival_aligned, simultaneous };

/// Under what conditions schedules are timed.
struct Conditions {
  UpdateSize update{1e9, 2};
  double memory = std::numeric_limits<double>::infinity();  ///< bytes of each aggregator
  Organization organization = Organization::accumulate_on_arrival;
  Contention contention = Contention::access_only;
  Start start = Start::arrival_aligned;
  Copies copies;
};

/// One clique in one round.
struct CliqueTime {
  Alignment alignment;
  CliqueRate rate;
  double ns = 0;             ///< last arrival + update / rate; 0 for a site alone
  double memory_needed = 0;  ///< bytes, so that the memory does not slow it
};

struct RoundTime {
  std::vector<CliqueTime> cliques;
  double ns = 0;  ///< of the slowest clique
};

/// Closed-form times of rounds. Sources are paced so that no aggregator's memory overflows, and start
/// aligned or at once. A clique whose arrivals cannot be aligned perfectly and whose update fits into the
/// memory whole starts at once in any case: offsets would save nothing. Left out: headers, the first packet's
/// own time, jitter, the aggregators' data paths, and that with `all_links` the cliques that go on speed up
/// when one ends.
class Timer {
 public:
  /// `topology` must outlive this.
  Timer(const Topology& topology, Conditions conditions);

  /// `round` must be normalized.
  RoundTime time(const Round& round);
  /// The same, only the time (ns).
  double ns(const Round& round);

  const Topology& topology() const { return topology_; }
  const ShortestPaths& paths() const { return paths_; }
  const Conditions& conditions() const { return conditions_; }
  /// Keeps what does not depend on the memory.
  void set_memory(double bytes) { conditions_.memory = bytes; }

 private:
  struct Geometry {
    Alignment aligned;
    Alignment simultaneous;
  };
  const Geometry& geometry(const Clique& clique);
  const Alignment& alignment(const Clique& clique);
  /// The rate the memory allows, at the member where it is least.
  double cap(const Alignment& alignment) const;

  const Topology& topology_;
  ShortestPaths paths_;
  Conditions conditions_;
  std::map<std::uint64_t, Geometry> geometries_;  ///< by the clique's bits
};

}  // namespace fredsim::agg
