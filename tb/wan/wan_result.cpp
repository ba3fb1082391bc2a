#include "tb/wan/wan_result.h"

#include <fmt/format.h>

#include <algorithm>

namespace fredsim::tb {
namespace {

using Json = nlohmann::ordered_json;

double share(hw::Time part, hw::Time whole) {
  return whole == hw::Time() ? 0 : part.seconds() / whole.seconds();
}

Json to_json(const CliqueResult& clique, std::uint64_t update) {
  Json sites = Json::array();
  for (const hw::NpuId site : clique.sites) sites.push_back(site.value);
  return {{"id", clique.id},
          {"type", "all_reduce"},
          {"class", "dp"},
          {"npus", sites},
          {"bytes", update},
          {"start_ns", clique.started ? Json(clique.start.ns()) : Json()},
          {"end_ns", clique.ended ? Json(clique.end.ns()) : Json()},
          {"expected_ns", clique.expected_ns},
          {"limit", clique.limit}};
}

Json to_json(const AggregatorResult& a) {
  const agg::Aggregator::Statistics& s = a.statistics;
  Json json = {{"name", a.name},
               {"memory_bytes", a.memory.is_unlimited() ? Json() : Json(a.memory.bytes())},
               {"peak_bytes", a.peak},
               {"full_ns", a.full.ns()},
               {"packets", s.packets},
               {"sums", s.sums},
               {"dropped", s.dropped},
               {"bypassed", s.bypassed},
               {"resent", s.resent},
               {"late", s.late},
               {"duplicates", s.duplicates},
               {"partial", s.partial},
               {"data_path_busy_ns", s.busy.ns()},
               {"data_path_queued_ns", s.queued.ns()}};
  if (a.histogram) json["histogram"] = histogram_json(*a.histogram);
  return json;
}

}  // namespace

Json to_json(const WanResult& r) {
  Json json = {{"format", "fredsim-result"},
               {"version", 1},
               {"status", to_string(r.status)},
               {"seed", r.seed},
               {"config", r.configuration},
               {"simulated_ns", r.simulated.ns()},
               {"verified_elements", r.verified_elements},
               {"wrong_elements", r.wrong_elements}};
  json["operations"] = Json::array();
  for (const CliqueResult& clique : r.cliques) json["operations"].push_back(to_json(clique, r.update_bytes));
  json["sites"] = Json::array();
  for (const SiteResult& site : r.sites) {
    json["sites"].push_back({{"name", site.name},
                             {"compute_ns", site.compute.ns()},
                             {"waiting_ns", site.waiting.ns()},
                             {"wafer_ns", site.wafer.ns()},
                             {"wan_ns", site.wan.ns()},
                             {"aggregator_ns", site.aggregator.ns()},
                             {"sent_bytes", site.sent_bytes},
                             {"received_bytes", site.received_bytes}});
  }
  json["links"] = Json::array();
  for (const WanLinkResult& link : r.links) {
    json["links"].push_back({{"name", link.name},
                             {"bytes", link.traffic.bytes},
                             {"packets", link.traffic.packets},
                             {"utilization", share(link.busy, r.simulated)},
                             {"stalled_ns", {{"link_busy", link.queued.ns()}}}});
  }
  json["aggregators"] = Json::array();
  for (const AggregatorResult& a : r.aggregators) json["aggregators"].push_back(to_json(a));
  json["packets"] = {{"dropped", r.lost}, {"resent", r.resent}};
  json["reasons"] = r.reasons;
  json["waiting"] = Json::array();
  for (const Waiting& w : r.waiting) {
    json["waiting"].push_back({{"operation", w.operation}, {"npu", w.npu.value}, {"for", w.waits_for}});
  }
  json["cost"] = to_json(r.cost, r.simulated);
  json["performance"] = {
      {"wall_s", r.performance.wall_s},
      {"packet_hops", r.performance.packet_hops},
      {"packet_hops_per_s", r.performance.wall_s > 0
                                ? static_cast<double>(r.performance.packet_hops) / r.performance.wall_s
                                : 0.0},
      {"kernel_events", r.performance.kernel_events},
      {"packets_allocated", r.performance.packets_allocated},
      {"peak_rss_bytes", r.performance.peak_rss_bytes}};
  return json;
}

std::string summary(const WanResult& r) {
  std::string text = fmt::format("status    {}\n", to_string(r.status));
  text += fmt::format("time      {:.6g} s\n", r.simulated.seconds());
  if (!r.data) {
    text += "data      none: timing only\n";
  } else {
    text += fmt::format("data      {} elements verified, {} wrong\n", r.verified_elements, r.wrong_elements);
  }
  for (const CliqueResult& c : r.cliques) {
    if (c.sites.size() < 2) continue;
    if (!c.ended) {
      text += fmt::format("{:9} {}\n", c.id, c.started ? "under way" : "not begun");
      continue;
    }
    text += fmt::format("{}  {:.4g} s, by the closed form {:.4g} s; limit: {}\n", c.id,
                        (c.end - c.start).seconds(), c.expected_ns * 1e-9, c.limit);
  }
  if (!r.aggregators.empty()) {
    const auto most = std::max_element(r.aggregators.begin(), r.aggregators.end(),
                                       [](const auto& a, const auto& b) { return a.peak < b.peak; });
    text += fmt::format("memory    at most {:.2f} MB in use, at {}\n", static_cast<double>(most->peak) * 1e-6,
                        most->name);
  }
  if (!r.sites.empty() && r.simulated > hw::Time()) {
    hw::TimeSum waiting;
    for (const SiteResult& site : r.sites) waiting += site.waiting;
    text += fmt::format("waiting   {:.1f} % of the sites' time\n",
                        100 * waiting.ns() / (r.simulated.ns() * static_cast<double>(r.sites.size())));
  }
  if (const auto slowest = std::max_element(r.sites.begin(), r.sites.end(),
                                            [](const auto& a, const auto& b) { return a.wafer < b.wafer; });
      slowest != r.sites.end() && slowest->wafer > hw::Time()) {
    text += fmt::format(
        "of that   {:.6g} ms on the wafer, {:.6g} ms on the WAN, {:.6g} ms by aggregators, at {}\n",
        slowest->wafer.ns() * 1e-6, slowest->wan.ns() * 1e-6, slowest->aggregator.ns() * 1e-6, slowest->name);
  }
  for (const std::string& reason : r.reasons) text += fmt::format("reason    {}\n", reason);
  for (const Waiting& w : r.waiting) {
    text += fmt::format("waiting   {} waits for {}\n", w.operation, w.waits_for);
  }
  return text;
}

}  // namespace fredsim::tb
