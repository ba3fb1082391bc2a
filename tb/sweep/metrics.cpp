#include "tb/sweep/metrics.h"

#include <algorithm>
#include <initializer_list>
#include <memory>
#include <numeric>

#include "tb/sweep/result_path.h"

namespace fredsim::tb {
namespace {

using Json = nlohmann::ordered_json;

Metric by_path(const std::string& name, const std::string& meaning, const std::string& path) {
  return {name, meaning,
          [of = std::make_shared<ResultPath>(path)](const Json& result) { return of->in(result); }};
}

const Json& list(const Json& result, const char* key) {
  static const Json none = Json::array();
  const auto found = result.find(key);
  return found != result.end() && found->is_array() ? *found : none;
}

/// The number below the keys; nothing where there is none.
std::optional<double> number_at(const Json& at, std::initializer_list<const char*> keys) {
  const Json* found = &at;
  for (const char* key : keys) {
    if (!found->is_object() || !found->contains(key)) return std::nullopt;
    found = &found->at(key);
  }
  return found->is_number() ? std::optional<double>(found->get<double>()) : std::nullopt;
}

/// The numbers of an object below a key.
std::vector<double> numbers_of(const Json& at, const char* key) {
  std::vector<double> numbers;
  if (!at.is_object() || !at.contains(key)) return numbers;
  for (const Json& value : at.at(key)) {
    if (value.is_number()) numbers.push_back(value.get<double>());
  }
  return numbers;
}

/// The least rate of the operations that have ended and have one: others say 0.
std::optional<double> slowest(const Json& result, const char* rate) {
  std::optional<double> least;
  for (const Json& operation : list(result, "operations")) {
    const double value = number_at(operation, {rate}).value_or(0);
    if (value > 0 && (!least || value < *least)) least = value;
  }
  return least;
}

std::optional<double> longest_operation(const Json& result) {
  std::optional<double> longest;
  for (const Json& operation : list(result, "operations")) {
    const std::optional<double> start = number_at(operation, {"start_ns"}),
                                end = number_at(operation, {"end_ns"});
    if (start && end && (!longest || *end - *start > *longest)) longest = *end - *start;
  }
  return longest;
}

/// Weighted by the packets of each flow.
std::optional<double> mean_latency(const Json& result) {
  double packets = 0, sum = 0;
  for (const Json& flow : list(result, "flows")) {
    const std::optional<double> n = number_at(flow, {"packets"}),
                                mean = number_at(flow, {"latency_ns", "mean"});
    if (!n || !mean) continue;
    packets += *n;
    sum += *n * *mean;
  }
  if (packets == 0) return std::nullopt;
  return sum / packets;
}

std::optional<double> exposed(const Json& result) {
  std::optional<double> most;
  for (const Json& npu : list(result, "npus")) {
    const std::vector<double> kinds = numbers_of(npu, "exposed_ns");
    if (kinds.empty()) continue;
    const double sum = std::accumulate(kinds.begin(), kinds.end(), 0.0);
    if (!most || sum > *most) most = sum;
  }
  return most;
}

std::optional<double> peak_outstanding(const Json& result) {
  std::optional<double> most;
  for (const Json& link : list(result, "links")) {
    for (const double bytes : numbers_of(link, "peak_outstanding_bytes")) {
      if (!most || bytes > *most) most = bytes;
    }
  }
  return most;
}

std::vector<Metric> make() {
  return {
      by_path("simulated_ns", "Simulated time at the end.", "simulated_ns"),
      {"algbw_gbytes_per_s", "The least `algbw_gbytes_per_s` of all operations that have one.",
       [](const Json& r) { return slowest(r, "algbw_gbytes_per_s"); }},
      {"busbw_gbytes_per_s", "The least `busbw_gbytes_per_s` of all operations that have one.",
       [](const Json& r) { return slowest(r, "busbw_gbytes_per_s"); }},
      {"longest_operation_ns", "The longest time from an operation's start to its end.", longest_operation},
      by_path("offered_bytes_per_s", "What all NPUs have sent, over the simulated time.",
              "offered_bytes_per_s"),
      by_path("accepted_bytes_per_s", "What all NPUs have received.", "accepted_bytes_per_s"),
      {"latency_mean_ns", "Mean latency of all packets delivered.", mean_latency},
      by_path("latency_p99_ns", "The largest `p99` of all flows.", "max(flows[*].latency_ns.p99)"),
      by_path("latency_max_ns", "The largest latency of a packet.", "max(flows[*].latency_ns.max)"),
      by_path("queued_ns", "Time that packets have waited, summed over flows.", "sum(flows[*].queued_ns)"),
      by_path("compute_ns", "The most time that an NPU has computed.", "max(npus[*].compute_ns)"),
      {"exposed_ns", "The most time that an NPU has only communicated, all classes together.", exposed},
      by_path("max_utilization", "Utilization of the busiest link.", "max(links[*].utilization)"),
      by_path("mean_utilization", "Mean utilization of all links.", "mean(links[*].utilization)"),
      by_path("no_credit_ns", "Time that packets have waited for room, summed over links.",
              "sum(links[*].stalled_ns.no_credit)"),
      by_path("link_busy_ns", "Time that packets have waited for the link, summed over links.",
              "sum(links[*].stalled_ns.link_busy)"),
      {"peak_outstanding_bytes",
       "The most that was sent on one link and virtual channel without its credit being back.",
       peak_outstanding},
      by_path("peak_buffer_bytes", "The most that one buffer held.", "max(buffers[*].peak_bytes)"),
      by_path("buffer_full_ns", "Time that buffers were full, summed over them.", "sum(buffers[*].full_ns)"),
      by_path("reconfigurations", "Changes of route sets, summed over switches.",
              "sum(switches[*].reconfigurations)"),
      by_path("preemptions", "Preemptions, summed over switches.", "sum(switches[*].preemptions)"),
      by_path("partner_missing_ns", "Waiting of flows for operands, summed over switches.",
              "sum(switches[*].stalled_ns.partner_missing)"),
      by_path("other_route_set_ns", "Waiting of flows for their route set, summed over switches.",
              "sum(switches[*].stalled_ns.other_route_set)"),
      by_path("no_staging_ns", "Waiting of flows for room at outputs, summed over switches.",
              "sum(switches[*].stalled_ns.no_staging)"),
      by_path("resent", "Packets sent again.", "packets.resent"),
      by_path("dropped", "Packets lost.", "packets.dropped"),
      by_path("damaged", "Packets that came out wrong.", "packets.damaged"),
      by_path("verified_elements", "Elements compared and right.", "verified_elements"),
      by_path("wrong_elements", "Elements wrong.", "wrong_elements"),
      by_path("site_waiting_ns", "The most time that a site of a WAN has waited.",
              "max(sites[*].waiting_ns)"),
      by_path("aggregator_peak_bytes", "The most slot memory in use at one aggregator.",
              "max(aggregators[*].peak_bytes)"),
  };
}

}  // namespace

const std::vector<Metric>& ready_metrics() {
  static const std::vector<Metric> metrics = make();
  return metrics;
}

}  // namespace fredsim::tb
