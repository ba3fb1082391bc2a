#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "fpga_agg/schedule/round.h"
#include "fpga_agg/schedule/timing.h"
#include "fpga_agg/schedule/topology.h"
#include "hw/core/quantity.h"
#include "tb/configuration/configuration.h"
#include "tb/wan/wafer_plan.h"

namespace fredsim::tb {

/// One clique of a round as it is replayed.
struct CliquePlan {
  agg::Clique members;
  std::vector<hw::Time> starts;     ///< by member, after the clique's begin
  hw::Time interval;                ///< between the packets of a source
  std::uint64_t window = 0;         ///< packets; 0: none
  double expected_ns = 0;           ///< by the closed form, in whole packets
  double unhindered_ns = 0;         ///< what latencies and lines alone would take
  std::string limit;                ///< what holds the rate
  std::uint64_t expected_peak = 0;  ///< bytes of slot memory at full pace, for policy pace
};

/// A WAN configuration and a schedule, joined: what sites, routers and aggregators are told.
struct WanPlan {
  agg::Topology topology;
  std::vector<std::vector<CliquePlan>> rounds;  ///< in order; cliques of one site included
  std::uint64_t elements = 0;                   ///< of an update
  std::uint64_t packets = 0;                    ///< of an update
  std::uint32_t packet_elements = 0;
  std::uint32_t last_elements = 0;
  std::uint64_t slot_bytes = 0;  ///< of slot memory, that one packet takes
  hw::Time longest_latency;
  std::vector<hw::Time> compute;           ///< by site, before each round
  std::shared_ptr<const WaferPlan> wafer;  ///< what a site is; null: one accelerator
};

/// The topology of a configuration, with its bandwidths and, where all sites are in one place, no latencies.
agg::Topology wan_topology(const Configuration& configuration);

/// Throws InputError, with the keys' places, for what cannot be.
WanPlan plan_wan(const Configuration& configuration, const std::string& schedule_path);
WanPlan plan_wan(const Configuration& configuration, agg::Topology topology,
                 const std::vector<agg::Round>& schedule);

}  // namespace fredsim::tb
