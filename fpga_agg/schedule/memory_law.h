#pragma once

#include <cstdint>
#include <vector>

namespace fredsim::agg {

enum class Organization : std::uint8_t {
  accumulate_on_arrival,  ///< one window of partial sums, however many sources there are
  buffer_per_source,      ///< what has arrived of each source is kept, and added in a fixed order
};

/// What of an update must lie in an aggregator's memory.
struct UpdateSize {
  double bytes = 0;      ///< of one site's update, as on the wire
  double expansion = 1;  ///< accumulator bytes per wire byte; FP32 accumulators of FP16 data: 2
};

/// The memory, in bytes, that a site needs when the streams of the others begin to arrive at `arrivals_ns`
/// and all run at `rate` (bytes/s). With a the arrivals and G the update's bytes:
/// accumulate_on_arrival: expansion * min(G, rate * (max a - min a));
/// buffer_per_source: the sum over the sources of min(G, rate * (max a - a_i)), as wide as on the wire.
double memory_needed(Organization organization, const std::vector<double>& arrivals_ns, double rate,
                     const UpdateSize& update);

/// The greatest rate (bytes/s) at which `memory` bytes suffice, infinite where any does.
double rate_within(Organization organization, const std::vector<double>& arrivals_ns, double memory,
                   const UpdateSize& update);

/// The rate (bytes/s) of sources that send a window and wait until the aggregator has passed it on:
/// memory / (expansion * round trip), at most `rate`.
double self_clocked_rate(double rate, double memory, double expansion, double round_trip_ns);

}  // namespace fredsim::agg
