#include "tb/systems/result.h"

#include <fmt/format.h>

namespace fredsim::tb {

std::string_view to_string(Status status) {
  switch (status) {
    case Status::ok:
      return "ok";
    case Status::wrong_data:
      return "wrong_data";
    case Status::unfinished:
      return "unfinished";
    case Status::stopped:
      return "stopped";
  }
  return "";
}

std::string_view to_string(Waiting::State state) {
  switch (state) {
    case Waiting::State::deadlock:
      return "deadlock";
    case Waiting::State::starvation:
      return "starvation";
    case Waiting::State::unfinished:
      return "unfinished";
  }
  return "";
}

int exit_code(Status status) {
  switch (status) {
    case Status::wrong_data:
      return 1;
    case Status::unfinished:
      return 3;
    case Status::ok:
    case Status::stopped:
      break;
  }
  return 0;
}

double OperationResult::algbw() const {
  if (!ended || bytes == 0 || end == start) return 0;
  return static_cast<double>(bytes) / (end - start).seconds() / 1e9;
}

double OperationResult::busbw() const {
  const auto n = static_cast<double>(npus.size());
  switch (type) {
    case hw::OperationType::all_reduce:
      return algbw() * 2 * (n - 1) / n;
    case hw::OperationType::reduce_scatter:
    case hw::OperationType::all_gather:
    case hw::OperationType::all_to_all:
      return algbw() * (n - 1) / n;
    default:
      return algbw();
  }
}

double Result::utilization(const LinkResult& link) const {
  return simulated == hw::Time() ? 0 : link.busy.seconds() / simulated.seconds();
}

nlohmann::ordered_json histogram_json(const hw::TimeHistogram& histogram) {
  nlohmann::ordered_json spans = nlohmann::ordered_json::array();
  for (const hw::Time span : histogram.spans()) spans.push_back(span.ns());
  return {{"bucket_bytes", histogram.width()}, {"ns", std::move(spans)}};
}

namespace {

using Json = nlohmann::ordered_json;

Json to_json(const OperationResult& operation) {
  Json npus = Json::array();
  for (const hw::NpuId npu : operation.npus) npus.push_back(npu.value);
  return {{"id", operation.id},
          {"type", to_string(operation.type)},
          {"class", to_string(operation.traffic_class)},
          {"npus", npus},
          {"bytes", operation.bytes},
          {"padded_bytes", operation.padded_bytes},
          {"start_ns", operation.started ? Json(operation.start.ns()) : Json()},
          {"end_ns", operation.ended ? Json(operation.end.ns()) : Json()},
          {"algorithm", operation.algorithm},
          {"algbw_gbytes_per_s", operation.algbw()},
          {"busbw_gbytes_per_s", operation.busbw()}};
}

Json to_json(const FlowResult& flow) {
  const hw::LatencyHistogram& latency = flow.statistics->latency;
  return {{"id", flow.id},
          {"class", to_string(flow.traffic_class)},
          {"packets", flow.statistics->packets},
          {"latency_ns",
           {{"min", latency.min().ns()},
            {"mean", latency.mean().ns()},
            {"p50", latency.percentile(50).ns()},
            {"p95", latency.percentile(95).ns()},
            {"p99", latency.percentile(99).ns()},
            {"max", latency.max().ns()}}},
          {"queued_ns", flow.statistics->queued.ns()}};
}

Json to_json(const NpuResult& npu) {
  return {{"id", npu.id.value},
          {"compute_ns", npu.times.compute.ns()},
          {"exposed_ns",
           {{"mp", npu.times.exposed[0].ns()},
            {"pp", npu.times.exposed[1].ns()},
            {"dp", npu.times.exposed[2].ns()},
            {"stream", npu.times.exposed[3].ns()},
            {"load", npu.times.exposed[4].ns()}}},
          {"sent_bytes", npu.sent_bytes},
          {"received_bytes", npu.received_bytes}};
}

Json to_json(const LinkResult& link, double utilization) {
  const std::uint64_t packets = link.traffic.packets + link.traffic.control_packets;
  Json outstanding = Json::object();
  for (std::size_t vc = 0; vc < hw::virtual_channels; ++vc) {
    outstanding[std::string(to_string(static_cast<hw::VirtualChannel>(vc)))] = link.peak_outstanding[vc];
  }
  return {{"name", link.name},
          {"bytes", link.traffic.bytes},
          {"packets", link.traffic.packets},
          {"control_bytes", link.traffic.control_bytes},
          {"control_packets", link.traffic.control_packets},
          {"utilization", utilization},
          {"sent", packets},
          {"delivered", link.traffic.delivered},
          {"damaged", link.traffic.damaged},
          {"dropped", link.traffic.dropped},
          {"stalled_ns", {{"no_credit", link.no_credit.ns()}, {"link_busy", link.link_busy.ns()}}},
          {"peak_outstanding_bytes", outstanding}};
}

Json to_json(const BufferResult& buffer) {
  Json json = {{"name", buffer.name},
               {"vc", to_string(buffer.vc)},
               {"capacity_bytes", buffer.capacity.is_unlimited() ? Json() : Json(buffer.capacity.bytes())},
               {"peak_bytes", buffer.occupancy.peak},
               {"mean_bytes", buffer.occupancy.mean},
               {"full_ns", buffer.occupancy.full.ns()}};
  if (buffer.histogram) json["histogram"] = histogram_json(*buffer.histogram);
  return json;
}

/// Spans of time by traffic class.
template <class Times>
Json by_class(const Times& times) {
  Json json = Json::object();
  for (std::size_t c = 0; c < hw::traffic_classes; ++c) {
    json[std::string(to_string(static_cast<hw::TrafficClass>(c)))] = times[c].ns();
  }
  return json;
}

Json to_json(const SwitchResult& s) {
  return {{"name", s.name},
          {"reductions", s.counts.reductions},
          {"distributions", s.counts.distributions},
          {"forwards", s.counts.forwards},
          {"reconfigurations", s.statistics.reconfigurations},
          {"reconfiguring_ns", s.statistics.reconfiguring.ns()},
          {"route_loads", s.statistics.route_loads},
          {"loading_ns", s.statistics.loading.ns()},
          {"preemptions", s.statistics.preemptions},
          {"route_sets", s.route_sets},
          {"route_bits", s.route_bits},
          {"route_memory_bits", s.route_memory_bits},
          {"packed", s.packed},
          {"stalled_ns",
           {{"partner_missing", s.statistics.partner_missing.ns()},
            {"other_route_set", s.statistics.other_route_set.ns()},
            {"no_staging", s.statistics.no_staging.ns()}}},
          {"other_route_set_ns", by_class(s.statistics.other_route_set_of)},
          {"served_ns", by_class(s.statistics.served)}};
}

}  // namespace

nlohmann::ordered_json to_json(const Result& result) {
  Json json = {{"format", "fredsim-result"},
               {"version", 1},
               {"status", to_string(result.status)},
               {"seed", result.seed},
               {"config", result.configuration},
               {"simulated_ns", result.simulated.ns()},
               {"verified_elements", result.verified_elements},
               {"wrong_elements", result.wrong_elements},
               {"saturated", false}};
  json["operations"] = Json::array();
  for (const OperationResult& operation : result.operations) json["operations"].push_back(to_json(operation));

  std::uint64_t sent = 0, delivered = 0, offered_bytes = 0, accepted_bytes = 0;
  for (const NpuResult& npu : result.npus) {
    offered_bytes += npu.sent_bytes;
    accepted_bytes += npu.received_bytes;
    sent += npu.sent_packets;
    delivered += npu.received_packets;
  }
  const double seconds = result.simulated.seconds();
  json["offered_bytes_per_s"] = seconds > 0 ? static_cast<double>(offered_bytes) / seconds : 0.0;
  json["accepted_bytes_per_s"] = seconds > 0 ? static_cast<double>(accepted_bytes) / seconds : 0.0;

  json["flows"] = Json::array();
  for (const FlowResult& flow : result.flows) json["flows"].push_back(to_json(flow));
  json["npus"] = Json::array();
  for (const NpuResult& npu : result.npus) json["npus"].push_back(to_json(npu));
  json["links"] = Json::array();
  for (const LinkResult& link : result.links) {
    json["links"].push_back(to_json(link, result.utilization(link)));
  }
  json["buffers"] = Json::array();
  for (const BufferResult& buffer : result.buffers) json["buffers"].push_back(to_json(buffer));
  json["switches"] = Json::array();
  for (const SwitchResult& s : result.switches) json["switches"].push_back(to_json(s));
  std::uint64_t damaged = 0, dropped = 0, resent = 0, acks = 0, nacks = 0;
  for (const LinkResult& link : result.links) {
    damaged += link.traffic.damaged;
    dropped += link.traffic.dropped;
    resent += link.resent;
    acks += link.acks;
    nacks += link.nacks;
  }
  for (const NpuResult& npu : result.npus) {
    resent += npu.resends.resent;
    acks += npu.resends.acks;
    nacks += npu.resends.nacks;
  }
  for (const SwitchResult& s : result.switches) nacks += s.nacks;
  json["packets"] = {{"sent", sent},     {"delivered", delivered}, {"damaged", damaged}, {"dropped", dropped},
                     {"resent", resent}, {"nacks", nacks},         {"acks", acks}};
  if (result.planes > 0) {
    json["planes"] = {{"available", result.planes}};
    for (std::size_t c = 0; c < hw::traffic_classes; ++c) {
      json["planes"]["needed"][std::string(to_string(static_cast<hw::TrafficClass>(c)))] =
          result.planes_needed[c];
    }
  }
  json["turns"] = Json::array();
  for (const TurnsResult& t : result.turns) {
    json["turns"].push_back(
        {{"reason", t.reason == Turns::Reason::planes ? "planes" : "routes"},
         {"switch", t.place},
         {"operations", t.operations},
         {"waited_ns", t.reason == Turns::Reason::planes ? Json() : Json(t.waited.ns())}});
  }
  json["decomposed"] = result.decomposed;
  json["waiting"] = Json::array();
  for (const Waiting& waiting : result.waiting) {
    json["waiting"].push_back({{"operation", waiting.operation},
                               {"npu", waiting.npu.value},
                               {"state", to_string(waiting.state)},
                               {"for", waiting.waits_for}});
  }
  json["cost"] = to_json(result.cost, result.simulated);
  json["performance"] = {{"wall_s", result.performance.wall_s},
                         {"packet_hops", result.performance.packet_hops},
                         {"packet_hops_per_s", result.performance.wall_s > 0
                                                   ? static_cast<double>(result.performance.packet_hops) /
                                                         result.performance.wall_s
                                                   : 0.0},
                         {"kernel_events", result.performance.kernel_events},
                         {"packets_allocated", result.performance.packets_allocated},
                         {"peak_rss_bytes", result.performance.peak_rss_bytes}};
  return json;
}

}  // namespace fredsim::tb
