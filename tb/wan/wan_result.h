#pragma once

#include <cstdint>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "fpga_agg/aggregator/aggregator.h"
#include "hw/core/quantity.h"
#include "hw/link/link.h"
#include "hw/observe/probe.h"
#include "hw/observe/waveform_options.h"
#include "tb/cost/energy.h"
#include "tb/systems/result.h"

namespace fredsim::tb {

/// One clique in one round.
struct CliqueResult {
  std::string id;  ///< "round2/NYC+LON+SIN"
  hw::Group sites;
  bool started = false;
  bool ended = false;
  hw::Time start;
  hw::Time end;
  double expected_ns = 0;  ///< by the closed form
  std::string limit;       ///< what holds the rate by the plan
};

struct SiteResult {
  std::string name;
  hw::Time compute;
  hw::Time waiting;     ///< all that is not computation
  hw::Time wafer;       ///< of that, on the wafer
  hw::Time wan;         ///< as much as latencies and lines take
  hw::Time aggregator;  ///< what aggregators have added
  std::uint64_t sent_bytes = 0;
  std::uint64_t received_bytes = 0;
};

struct AggregatorResult {
  std::string name;
  hw::Capacity memory;
  std::uint64_t peak = 0;
  std::shared_ptr<hw::TimeHistogram> histogram;  ///< of the slot memory; null unless histograms are kept
  hw::Time full;                                 ///< with no room for another packet
  agg::Aggregator::Statistics statistics;
};

struct WanLinkResult {
  std::string name;
  hw::Link::Traffic traffic;
  hw::Time busy;
  hw::TimeSum queued;
};

/// What a run of a WAN has found out.
struct WanResult {
  Status status = Status::ok;
  std::uint64_t seed = 0;
  nlohmann::ordered_json configuration;
  hw::Time simulated;
  bool data = true;
  std::uint64_t update_bytes = 0;
  std::uint64_t npus = 0;  ///< of all wafers together
  std::uint64_t verified_elements = 0;
  std::uint64_t wrong_elements = 0;
  std::vector<CliqueResult> cliques;
  std::vector<SiteResult> sites;
  std::vector<AggregatorResult> aggregators;
  std::vector<WanLinkResult> links;
  std::uint64_t lost = 0;
  std::uint64_t resent = 0;
  std::vector<std::string> reasons;  ///< why it did not finish, or not wholly, in sentences
  std::vector<Waiting> waiting;      ///< the site is given as NPU
  RunCost cost;
  Performance performance;
};

/// The result file: the keys of every system's, those that a WAN has.
nlohmann::ordered_json to_json(const WanResult& result);
std::string summary(const WanResult& result);

}  // namespace fredsim::tb
