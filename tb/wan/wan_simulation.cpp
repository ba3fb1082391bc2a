#include "tb/wan/wan_simulation.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <sys/resource.h>

#include <algorithm>
#include <chrono>
#include <cstring>

#include "hw/core/error.h"
#include "hw/link/environment.h"
#include "tb/configuration/effective.h"
#include "tb/systems/collect.h"
#include "tb/wan/wan_golden.h"
#include "tb/wan/wan_system.h"

namespace fredsim::tb {
namespace {

hw::PacketFormat format_of(const Configuration& c) {
  hw::PacketFormat format;
  format.bytes = static_cast<std::uint32_t>(c.packet.bytes);
  format.header = static_cast<std::uint32_t>(c.packet.header);
  format.control = static_cast<std::uint32_t>(c.packet.control);
  return format;
}

std::string clique_id(const agg::Topology& topology, std::size_t round, const agg::Clique& members) {
  std::vector<std::string> names;
  for (const std::uint32_t site : members) names.push_back(topology.nodes[site]);
  return fmt::format("round{}/{}", round + 1, fmt::join(names, "+"));
}

}  // namespace

/// In the order in which they are made; modules go before what they refer to.
struct WanSimulation::Parts {
  Parts(const Configuration& c, WanPlan p, const WanOptions& o)
      : configuration(c),
        coefficients(cost_coefficients(c)),
        plan(std::move(p)),
        options(o),
        environment(
            agg::WanFlows(plan.topology.site_count).count(static_cast<std::uint32_t>(plan.rounds.size())),
            format_of(c)) {}

  /// Checks what a site has after a round against the golden model, one round behind the fastest site.
  void check(std::uint32_t site, std::uint32_t round) {
    const std::vector<std::byte>& is = system->sites()[site]->update();
    const bool to_wafer = round + 1 == plan.rounds.size() && !system->wafers().empty();
    // Sums that lack an update are reported as such; there is nothing to hold them against.
    for (const auto& each : system->sites()) {
      if (each->statistics().partial == 0) continue;
      if (to_wafer) system->wafers()[site]->set_sum(is, is);
      return;
    }
    while (expected.size() <= round + 1) {
      expected.push_back(after_round(configuration, plan.rounds[expected.size() - 1], expected.back()));
    }
    const std::vector<std::byte>& must = expected[round + 1][site];
    const std::size_t element = hw::size_of(configuration.data.dtype);
    for (std::size_t at = 0; at < must.size(); at += element) {
      if (std::memcmp(is.data() + at, must.data() + at, element) != 0) ++result.wrong_elements;
    }
    result.verified_elements += must.size() / element;
    if (to_wafer) system->wafers()[site]->set_sum(is, must);
  }

  void collect(hw::Time end, bool pending);
  void explain();

  Work work(hw::Time end) const;

  Configuration configuration;
  CostCoefficients coefficients;
  WanPlan plan;
  WanOptions options;
  hw::Environment environment;
  std::optional<WanSystem> system;
  std::vector<std::vector<std::vector<std::byte>>> expected;  ///< by round and site
  WanResult result;
  hw::WaveformSummary waveform;
};

WanSimulation::WanSimulation(const Configuration& configuration, WanPlan plan, const WanOptions& options)
    : parts_(std::make_unique<Parts>(configuration, std::move(plan), options)) {
  Parts& p = *parts_;
  if (options.histograms) p.environment.recorder.keep_histograms();
  if (options.waveform) p.environment.recorder.record(*options.waveform);
  p.system.emplace("wan", p.configuration, p.plan, p.environment.context, options.data);
  if (options.data) {
    p.expected.push_back(first_updates(p.configuration, p.plan));
    for (std::uint32_t site = 0; site < p.system->wafers().size(); ++site) {
      p.expected.front()[site] = p.system->wafers()[site]->update();
    }
    for (std::uint32_t site = 0; site < p.plan.topology.site_count; ++site) {
      p.system->sites()[site]->set_update(p.expected.front()[site]);
    }
    p.system->site_done = [&p](std::uint32_t site, std::uint32_t round) { p.check(site, round); };
  }
  if (options.waveform) p.environment.recorder.start();
}

WanSimulation::~WanSimulation() = default;

WanSystem& WanSimulation::system() {
  return *parts_->system;
}

const hw::WaveformSummary& WanSimulation::waveform() const {
  return parts_->waveform;
}

const WanResult& WanSimulation::run() {
  Parts& p = *parts_;
  const auto begin = std::chrono::steady_clock::now();
  bool out_of_time = false;
  try {
    p.system->start();
    if (p.options.until) {
      sc_core::sc_start(hw::to_sc(*p.options.until), sc_core::SC_EXIT_ON_STARVATION);
    } else {
      sc_core::sc_start();
    }
  } catch (const sc_core::sc_report& report) {
    // The kernel wraps what a process throws.
    const std::string message = report.get_msg();
    out_of_time = message.find(hw::time_out_of_range) != std::string::npos;
    if (!out_of_time) throw hw::InternalError(message);
    p.result.reasons.push_back(message);
  }
  const bool pending = sc_core::sc_pending_activity() && !out_of_time;
  hw::Time end;
  if (p.system->all_done()) end = p.system->last_end();
  if (!p.system->all_done()) end = pending && p.options.until ? *p.options.until : hw::now();
  p.collect(end, pending);
  p.result.performance.wall_s =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  if (p.options.waveform) {
    p.waveform = p.environment.recorder.finish(std::max(hw::now(), p.environment.recorder.last_change()));
  }
  return p.result;
}

void WanSimulation::Parts::collect(hw::Time end, bool pending) {
  result.seed = configuration.seed;
  result.configuration = effective_json(configuration);
  result.simulated = end;
  result.data = options.data;
  result.update_bytes = plan.elements * hw::size_of(configuration.data.dtype);
  for (std::size_t r = 0; r < plan.rounds.size(); ++r) {
    for (std::size_t c = 0; c < plan.rounds[r].size(); ++c) {
      const WanSystem::CliqueRun& run = system->runs()[r][c];
      const CliquePlan& clique = plan.rounds[r][c];
      CliqueResult one{clique_id(plan.topology, r, clique.members),
                       {},
                       run.begun,
                       run.begun && run.open == 0,
                       run.begin,
                       run.end,
                       clique.expected_ns,
                       clique.limit};
      for (const std::uint32_t site : clique.members) one.sites.push_back(hw::NpuId(site));
      result.cliques.push_back(std::move(one));
    }
  }
  std::uint64_t partial = 0;
  result.npus = plan.wafer ? plan.wafer->workload.npus * plan.topology.site_count : 0;
  for (std::uint32_t site = 0; site < plan.topology.site_count; ++site) {
    const agg::WanSite::Statistics& s = system->sites()[site]->statistics();
    const hw::Time compute = std::min(system->computed(site), end);
    const WanSystem::Exchange exchange = system->exchange(site);
    const hw::Time wafer = system->wafers().empty() ? hw::Time() : system->wafers()[site]->busy();
    result.sites.push_back({plan.topology.nodes[site], compute, end - compute, wafer, exchange.wan,
                            exchange.aggregator, s.sent_bytes, s.received_bytes});
    result.resent += s.resent;
    partial += s.partial;
  }
  for (std::uint32_t site = 0; site < system->aggregators().size(); ++site) {
    const agg::Aggregator& a = *system->aggregators()[site];
    const hw::Time at = std::max(end, hw::now());
    std::shared_ptr<hw::TimeHistogram> histogram = a.histogram(at);
    // Timers of what is over may have kept the clock going; there was nothing in the slots then.
    if (histogram) histogram->add(0, (end - at).fs());
    result.aggregators.push_back({plan.topology.nodes[site], configuration.aggregator.memory(),
                                  a.slots().peak(), std::move(histogram),
                                  a.occupancy(std::max(end, hw::now())).full, a.statistics()});
  }
  const agg::Topology& topology = plan.topology;
  std::vector<std::uint32_t> lines(topology.nodes.size(), 0);
  for (std::uint32_t l = 0; l < topology.links.size(); ++l) {
    const hw::Link& link = *system->links()[l];
    const std::uint32_t from = topology.links[l].from;
    const hw::Time at = std::max(end, hw::now());
    const hw::Link::Traffic traffic = link.traffic(at);
    result.performance.packet_hops += traffic.packets + traffic.control_packets;
    result.links.push_back({topology.link_name(l), traffic, link.busy(at),
                            system->routers()[from]->statistics().queued[lines[from]++]});
  }
  for (const auto& router : system->routers()) result.lost += router->statistics().lost;
  for (const auto& wafer : system->wafers()) {
    if (system->all_done()) wafer->finish();
    result.verified_elements += wafer->scoreboard().verified_elements();
    result.wrong_elements += wafer->scoreboard().wrong_elements() + wafer->scoreboard().missing_elements();
    result.performance.kernel_events += wafer->kernel_events();
    for (const System::Wire& wire : wafer->system().wires()) {
      const hw::Link::Traffic traffic = wire.link->traffic(std::max(end, hw::now()));
      result.performance.packet_hops += traffic.packets + traffic.control_packets;
    }
  }
  if (result.wrong_elements > 0) {
    result.status = Status::wrong_data;
  } else if (!system->all_done()) {
    result.status = pending ? Status::stopped : Status::unfinished;
  } else if (partial > 0) {
    result.status = Status::unfinished;
  }
  result.cost = run_cost(configuration, coefficients, work(std::max(end, hw::now())));
  explain();
  result.performance.kernel_events += environment.context.kernel_events;
  result.performance.packets_allocated = environment.packets.allocated();
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  result.performance.peak_rss_bytes = static_cast<std::uint64_t>(usage.ru_maxrss) * 1024;
}

Work WanSimulation::Parts::work(hw::Time end) const {
  Work sum;
  for (const auto& wafer : system->wafers()) {
    const Work one = work_of(wafer->system(), end);
    sum.switch_bytes += one.switch_bytes;
    for (std::size_t d = 0; d < hw::dtypes; ++d) {
      sum.switch_adds[d] += one.switch_adds[d];
      sum.npu_adds[d] += one.npu_adds[d];
    }
  }
  for (const auto& link : system->links()) {
    const hw::Link::Traffic traffic = link->traffic(end);
    sum.wan_line_bytes += traffic.bytes + traffic.control_bytes;
  }
  sum.wan_router_bytes = sum.wan_line_bytes;
  for (const auto& site : system->sites()) sum.wan_router_bytes += site->statistics().sent_bytes;
  for (const auto& a : system->aggregators()) sum.aggregator_bytes += a->statistics().bytes;
  return sum;
}

void WanSimulation::Parts::explain() {
  const auto names = [this](std::uint32_t site) { return plan.topology.nodes[site]; };
  for (std::uint32_t site = 0; site < system->wafers().size() && result.status == Status::unfinished;
       ++site) {
    const std::string under_way = system->wafers()[site]->under_way();
    if (!under_way.empty())
      result.reasons.push_back(fmt::format("wafer {}: {} has not ended", names(site), under_way));
  }
  for (std::uint32_t site = 0; site < system->aggregators().size(); ++site) {
    const agg::Aggregator& a = *system->aggregators()[site];
    for (const agg::Aggregator::Silence& s : a.silences()) {
      result.reasons.push_back(
          fmt::format("aggregator {}: {} has sent nothing of round {} from packet {} on, asked for "
                      "again {} times, reported at {:.6g} s",
                      names(site), names(s.site), s.round + 1, s.packet, configuration.aggregator.retries,
                      s.at.seconds()));
    }
    for (const std::uint32_t round : a.aborted()) {
      result.reasons.push_back(fmt::format("aggregator {}: gave up round {}", names(site), round + 1));
    }
    if (result.status != Status::unfinished) continue;
    for (const agg::Aggregator::Silence& s : a.waiting()) {
      result.waiting.push_back({fmt::format("round{} at {}", s.round + 1, names(site)), hw::NpuId(site),
                                fmt::format("packet {} of {}", s.packet, names(s.site))});
    }
    if (a.statistics().partial > 0) {
      result.reasons.push_back(
          fmt::format("aggregator {}: {} sums lack a site's update", names(site), a.statistics().partial));
    }
  }
}

}  // namespace fredsim::tb
