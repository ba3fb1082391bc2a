#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "fpga_agg/aggregator/slot_table.h"
#include "fpga_agg/schedule/timing.h"
#include "hw/core/quantity.h"

namespace fredsim::tb {

/// What of the network's help is used.
enum class WanMode : std::uint8_t {
  both,         ///< the network copies, aggregators add
  multicast,    ///< the network copies, sites add
  aggregation,  ///< sources send copies, aggregators add
  unicast,      ///< sources send copies, sites add
  colocated,    ///< as both, with all sites in one place
};

/// What happens when an aggregator's memory is full, and how sources avoid it.
enum class AggregatorPolicy : std::uint8_t { backpressure, pace, drop, bypass };

/// What happens when a source stops, after it has been asked again.
enum class TimeoutAction : std::uint8_t { wait, partial, abort };

struct WanConfiguration {
  std::string topology;  ///< path as given
  std::uint64_t update = 0;
  std::optional<hw::Bandwidth> bandwidth;  ///< of every line; nothing: their own
  agg::Contention contention = agg::Contention::access_only;
  agg::Start start = agg::Start::arrival_aligned;
  hw::Time jitter;
  double loss = 0;
  WanMode mode = WanMode::both;
  hw::Time compute;
  std::string straggler;
  hw::Time straggler_compute;
  std::uint64_t repeat = 1;
  std::string wafer;  ///< path as given, of what a site is; "none": one accelerator

  bool multicast() const { return mode != WanMode::unicast && mode != WanMode::aggregation; }
  bool aggregate() const { return mode != WanMode::unicast && mode != WanMode::multicast; }
};

/// Memories of AMD Alveo cards.
enum class FpgaMemory : std::uint8_t { u280, u280_hbm, u55c, u55c_hbm, v80, v80_hbm };

struct AggregatorConfiguration {
  FpgaMemory preset = FpgaMemory::u280;
  std::optional<hw::Capacity> own_memory;             ///< nothing: the preset's
  std::optional<hw::Bandwidth> own_memory_bandwidth;  ///< nothing: the preset's; 0: no limit
  agg::Organization organization = agg::Organization::accumulate_on_arrival;
  agg::Accumulator accumulator = agg::Accumulator::fp32;
  AggregatorPolicy policy = AggregatorPolicy::pace;
  hw::Time timeout;
  std::uint64_t retries = 0;
  TimeoutAction on_timeout = TimeoutAction::wait;
  std::uint64_t width = 0;  ///< bits; 0: no limit
  double clock = 0;         ///< Hz

  hw::Capacity memory() const;
  /// 0: no limit.
  hw::Bandwidth memory_bandwidth() const;
  /// Of the data path, in bytes per second; 0: no limit.
  double data_path() const { return static_cast<double>(width) / 8 * clock; }
};

}  // namespace fredsim::tb
