#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "accel/npu/npu_base.h"
#include "hw/core/records.h"
#include "hw/link/flow_statistics.h"
#include "hw/link/link.h"
#include "hw/observe/probe.h"
#include "hw/observe/waveform_options.h"
#include "switch/fabric/control_unit.h"
#include "tb/cost/energy.h"
#include "tb/plan/plan.h"
#include "tb/verify/scoreboard.h"

namespace fredsim::tb {

/// How a run ended. Wrong data beats unfinished.
enum class Status { ok, wrong_data, unfinished, stopped };
/// "ok", "wrong_data", "unfinished", "stopped".
std::string_view to_string(Status);
/// 0 done and right (stopped by --until included), 1 wrong data, 3 unfinished.
int exit_code(Status);

struct OperationResult {
  std::string id;
  hw::OperationType type = hw::OperationType::compute;
  hw::TrafficClass traffic_class = hw::TrafficClass::dp;
  hw::Group npus;
  std::uint64_t bytes = 0;
  std::uint64_t padded_bytes = 0;
  bool started = false;
  bool ended = false;
  hw::Time start;  ///< when the first member starts
  hw::Time end;    ///< when the last member has its result
  std::string algorithm;

  /// bytes / duration / 1e9; 0 for what takes no time, moves no bytes or has not ended.
  double algbw() const;
  /// algbw times 2(N-1)/N for all-reduce, (N-1)/N for reduce-scatter, all-gather and all-to-all, 1 for
  /// others.
  double busbw() const;
};

struct FlowResult {
  std::string id;  ///< operation/part, and /stripe where the part is striped over planes
  hw::TrafficClass traffic_class = hw::TrafficClass::dp;
  const hw::FlowStatistics* statistics = nullptr;
};

struct NpuResult {
  hw::NpuId id;
  accel::NpuTimes times;
  std::uint64_t sent_bytes = 0;  ///< headers and control packets included
  std::uint64_t received_bytes = 0;
  std::uint64_t sent_packets = 0;
  std::uint64_t received_packets = 0;
  accel::ResendCounts resends;
};

struct LinkResult {
  std::string name;
  hw::Link::Traffic traffic;
  hw::Time busy;  ///< up to the end of the run
  hw::TimeSum no_credit;
  hw::TimeSum link_busy;
  std::array<std::uint64_t, hw::virtual_channels> peak_outstanding{};  ///< bytes sent, credit not yet back
  std::uint64_t resent = 0;                                            ///< packets sent again by the link
  std::uint64_t acks = 0;                                              ///< of its receiver
  std::uint64_t nacks = 0;
  bool given_up = false;  ///< after npu.retries attempts
};

struct BufferResult {
  std::string name;
  hw::VirtualChannel vc = hw::VirtualChannel::dp;
  hw::Capacity capacity;
  hw::ProbeStatistics occupancy;
  std::shared_ptr<hw::TimeHistogram> histogram;  ///< null unless histograms are kept
};

struct SwitchResult {
  std::string name;
  sw::MicroSwitchCounts counts;
  sw::SwitchStatistics statistics;
  std::uint64_t nacks = 0;              ///< orders to go back that came from it
  std::uint64_t route_sets = 0;         ///< the default one not counted: it takes no memory
  std::uint64_t route_bits = 0;         ///< of one route set
  std::uint64_t route_memory_bits = 0;  ///< capacity
  bool packed = false;  ///< the sets fit only tightly: flows that could run together may take turns
};

/// Operations that could have been in flight together but took turns.
struct TurnsResult {
  Turns::Reason reason = Turns::Reason::routes;
  std::string place;  ///< the switch where they do not route together
  std::vector<std::string> operations;
  hw::TimeSum waited;  ///< their packets at the switch, ready while it served another route set
};

struct Waiting {
  enum class State : std::uint8_t {
    deadlock,    ///< nothing can move any more, this and everything else
    starvation,  ///< this has not moved for `watchdog.starvation`, while others did
    unfinished,  ///< neither: the run ended before
  };
  std::string operation;
  hw::NpuId npu;
  std::string waits_for;
  State state = State::deadlock;
};
/// "deadlock", "starvation", "unfinished".
std::string_view to_string(Waiting::State);

struct Performance {
  double wall_s = 0;
  std::uint64_t packet_hops = 0;  ///< a packet crossing a link is one
  std::uint64_t kernel_events = 0;
  std::uint64_t packets_allocated = 0;
  std::uint64_t peak_rss_bytes = 0;
};

/// Everything a run has found out. Refers to the simulation it came from.
struct Result {
  Status status = Status::ok;
  std::uint64_t seed = 0;
  nlohmann::ordered_json configuration;  ///< every parameter that holds
  hw::Time simulated;
  bool starved = false;      ///< unfinished because the watchdog saw starvation
  bool out_of_time = false;  ///< unfinished because the traffic takes longer than simulated time can be
  bool data = true;          ///< false: timing only, nothing was verified
  std::uint64_t verified_elements = 0;
  std::uint64_t wrong_elements = 0;
  std::vector<Fault> faults;
  std::vector<OperationResult> operations;
  std::vector<FlowResult> flows;
  std::vector<NpuResult> npus;
  std::vector<LinkResult> links;
  std::vector<BufferResult> buffers;
  std::vector<SwitchResult> switches;
  std::vector<TurnsResult> turns;
  std::vector<std::string> decomposed;  ///< operations that do not route, carried out by their members
  std::uint32_t planes = 0;             ///< of the fabric's second level; 0 for a single switch
  std::array<std::uint32_t, hw::traffic_classes> planes_needed{};  ///< by class, see Plan::planes_needed
  std::vector<Waiting> waiting;
  hw::WaveformSummary waveform;
  RunCost cost;
  Performance performance;

  double utilization(const LinkResult& link) const;
};

/// The result file, docs/05-results.md: stable keys, units in names, equal bytes for equal runs but for
/// `performance`.
nlohmann::ordered_json to_json(const Result& result);

/// A histogram as result files have it.
nlohmann::ordered_json histogram_json(const hw::TimeHistogram& histogram);

/// What a person wants to know first, some ten lines.
std::string summary(const Result& result);

}  // namespace fredsim::tb
