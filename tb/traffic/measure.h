#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "hw/core/quantity.h"
#include "tb/configuration/configuration.h"
#include "tb/traffic/pattern.h"

namespace fredsim::tb {

/// Synthetic traffic on the system of a configuration.
struct TrafficOptions {
  TrafficPattern pattern = TrafficPattern::uniform;
  double rate = 0.1;  ///< of every NPU, in parts of the rate of a link (traffic_link())
  hw::TrafficClass traffic_class = hw::TrafficClass::dp;
  std::uint32_t hot = 0;
  double hot_share = 0.1;
  hw::Time warm_up = hw::Time::fs(2'000'000'000);  ///< 2 us
  hw::Time window = hw::Time::fs(8'000'000'000);   ///< 8 us
  bool monitors = false;
};

/// One measurement. Rates are means over the NPUs that send, in parts of the link's rate.
struct TrafficResult {
  double rate = 0;            ///< asked for
  double offered = 0;         ///< what arose in the window
  double accepted = 0;        ///< what arrived in the window
  std::uint64_t packets = 0;  ///< that arose in the window and have arrived
  std::uint64_t missing =
      0;                   ///< that arose in the window and had not when the run ended, as long again later
  bool saturated = false;  ///< accepted below 95 % of offered, or some missing
  double mean_ns = 0, median_ns = 0, p95_ns = 0, p99_ns = 0, max_ns = 0;  ///< of `packets`
  struct Link {
    std::string name;
    std::uint64_t packets = 0;
    double utilization = 0;
  };
  std::vector<Link> links;
  std::uint64_t packet_hops = 0;
  std::uint64_t kernel_events = 0;
  double wall_s = 0;
  double processor_s = 0;  ///< of the run alone: planning and elaboration are not in it
};

/// The link whose rate others are given in: between routers of a mesh, at an NPU elsewhere.
hw::Bandwidth traffic_link(const Configuration& configuration);

/// Runs one. SystemC allows one a process. Throws InputError for a pattern the system has no place for.
TrafficResult measure_traffic(const Configuration& configuration, const TrafficOptions& options);
/// The same in a process of its own.
TrafficResult measure_apart(const Configuration& configuration, const TrafficOptions& options);

/// The highest rate, to within 0.01, that is not saturated, by bisection between 0 and 1 or what an NPU's
/// link can inject; and all that was measured on the way, by ascending rate.
struct Saturation {
  double rate = 0;
  std::vector<TrafficResult> measured;
};
Saturation find_saturation(const Configuration& configuration, const TrafficOptions& options);

nlohmann::ordered_json to_json(const TrafficResult& result);
TrafficResult traffic_result_from(const nlohmann::ordered_json& json);

}  // namespace fredsim::tb
