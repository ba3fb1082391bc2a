#include "tb/wan/wan_system.h"

#include <fmt/format.h>

#include <algorithm>

#include "fpga_agg/schedule/paths.h"
#include "hw/link/sim_time.h"
#include "tb/wan/wan_golden.h"

namespace fredsim::tb {
namespace {

/// Packets that a source announces together: events saved, and still far less than anything that matters
/// takes.
constexpr std::uint32_t train = 16;

agg::Aggregator::Config aggregator_config(const Configuration& c, const WanPlan& plan, std::uint32_t site) {
  const AggregatorConfiguration& a = c.aggregator;
  agg::Aggregator::Config config;
  config.slots.memory = a.memory();
  config.slots.organization = a.organization;
  config.slots.accumulator = a.accumulator;
  config.slots.overflow = a.policy == AggregatorPolicy::bypass ? agg::Overflow::bypass : agg::Overflow::drop;
  config.site = site;
  config.sites = plan.topology.site_count;
  config.names = plan.topology.site_names();
  if (a.data_path() > 0) {
    config.data_path = hw::Bandwidth::bits_per_second(static_cast<std::uint64_t>(a.data_path() * 8));
  }
  config.memory_bandwidth = a.memory_bandwidth();
  config.line = plan.topology.access_bandwidth(site);
  // A packet asked for again takes a round trip, and each source's packets an interval.
  hw::Time longest;
  for (const auto& round : plan.rounds) {
    for (const CliquePlan& clique : round) {
      hw::Time own = clique.interval;
      for (const hw::Time start : clique.starts) own = std::max(own, start + clique.interval);
      longest = std::max(longest, own);
    }
  }
  config.timeout =
      a.timeout == hw::Time() ? hw::Time() : a.timeout + plan.longest_latency * 2 + longest + c.wan.jitter;
  config.retries = static_cast<std::uint32_t>(a.retries);
  config.on_timeout = static_cast<agg::OnTimeout>(a.on_timeout);
  config.packet_memory = plan.slot_bytes;
  config.windows = a.policy == AggregatorPolicy::backpressure;
  return config;
}

}  // namespace

WanSystem::WanSystem(sc_core::sc_module_name name, const Configuration& configuration, const WanPlan& plan,
                     hw::Context& context, bool data)
    : sc_module(name),
      plan_(plan),
      multicast_(configuration.wan.multicast()),
      flows_(plan.topology.site_count),
      computed_(plan.topology.site_count) {
  make_routers(configuration, context);
  make_sites(configuration, context);
  if (plan.wafer) make_wafers(configuration, data);
  set_routes();
  open_rounds(configuration);
}

void WanSystem::make_routers(const Configuration& c, hw::Context& context) {
  const agg::Topology& topology = plan_.topology;
  std::vector<std::vector<std::uint32_t>> out(topology.nodes.size());
  std::vector<std::uint32_t> in(topology.nodes.size(), 0);
  std::vector<std::uint32_t> line_in;
  for (std::uint32_t l = 0; l < topology.links.size(); ++l) {
    line_of_.push_back(static_cast<std::uint32_t>(out[topology.links[l].from].size()));
    out[topology.links[l].from].push_back(l);
    line_in.push_back(in[topology.links[l].to]++);
  }
  for (std::uint32_t node = 0; node < topology.nodes.size(); ++node) {
    agg::WanRouter::Config config;
    config.node = node;
    config.sites = topology.site_count;
    config.contention = c.wan.contention;
    for (const std::uint32_t l : out[node]) config.lines.push_back(topology.links[l].bandwidth);
    config.lines_in = in[node];
    config.site = node < topology.site_count;
    config.aggregator = config.site && c.wan.aggregate();
    config.jitter = c.wan.jitter;
    config.loss = c.wan.loss;
    config.seed = c.seed;
    if (config.site && !config.aggregator) config.local = topology.access_bandwidth(node);
    routers_.push_back(std::make_unique<agg::WanRouter>(
        fmt::format("router_{}", topology.nodes[node]).c_str(), context, config));
  }
  for (std::uint32_t l = 0; l < topology.links.size(); ++l) {
    const agg::WanLink& link = topology.links[l];
    const std::string path = fmt::format("wan.{}.to_{}", topology.nodes[link.from], topology.nodes[link.to]);
    links_.push_back(std::make_unique<hw::Link>(
        fmt::format("link{}_{}_{}", l, topology.nodes[link.from], topology.nodes[link.to]).c_str(), context,
        path, hw::LinkConfig{link.bandwidth, link.latency}));
    routers_[link.from]->out[line_of_[l]]->bind(links_.back()->in);
    links_.back()->out.bind(*routers_[link.to]->in[line_in[l]]);
  }
}

void WanSystem::make_sites(const Configuration& c, hw::Context& context) {
  const agg::Topology& topology = plan_.topology;
  for (std::uint32_t site = 0; site < topology.site_count; ++site) {
    agg::WanSite::Config config;
    config.site = site;
    config.sites = topology.site_count;
    config.access = topology.access_bandwidth(site);
    config.multicast = multicast_;
    config.dtype = c.data.dtype;
    config.packets = plan_.packets;
    config.packet_elements = plan_.packet_elements;
    config.last_elements = plan_.last_elements;
    config.train = train;
    const std::string& city = topology.nodes[site];
    sites_.push_back(std::make_unique<agg::WanSite>(fmt::format("site_{}", city).c_str(), context,
                                                    fmt::format("sites.{}", city), config));
    sites_.back()->round_done = [this, site](std::uint32_t round, hw::Time at) { done(site, round, at); };
    sites_.back()->out.bind(*routers_[site]->from_site);
    if (!c.wan.aggregate()) {
      routers_[site]->local->bind(sites_.back()->in);
      continue;
    }
    aggregators_.push_back(std::make_unique<agg::Aggregator>(fmt::format("aggregator_{}", city).c_str(),
                                                             context, fmt::format("aggregators.{}", city),
                                                             aggregator_config(c, plan_, site)));
    routers_[site]->local->bind(aggregators_.back()->in);
    aggregators_.back()->out.bind(sites_.back()->in);
    aggregators_.back()->to_wan.bind(*routers_[site]->from_aggregator);
  }
}

void WanSystem::make_wafers(const Configuration& c, bool data) {
  const auto shares = static_cast<std::uint32_t>(most_updates(plan_));
  for (std::uint32_t site = 0; site < plan_.topology.site_count; ++site) {
    wafers_.push_back(std::make_unique<Wafer>(fmt::format("wafer_{}", plan_.topology.nodes[site]).c_str(),
                                              *plan_.wafer, c.seed + site, shares, data));
    wafers_.back()->reduced = [this, site](hw::Time at) { ready(site, 0, at); };
    wafers_.back()->published = [this](hw::Time at) { ended(at); };
  }
}

void WanSystem::set_routes() {
  const agg::Topology& topology = plan_.topology;
  const agg::ShortestPaths paths(topology);
  const auto along = [&](hw::FlowId flow, const std::vector<std::uint32_t>& links) {
    for (const std::uint32_t l : links) routers_[topology.links[l].from]->route(flow, {line_of_[l]}, false);
  };
  for (std::uint32_t from = 0; from < topology.site_count; ++from) {
    for (std::uint32_t to = 0; to < topology.site_count; ++to) {
      if (from == to) continue;
      along(flows_.unicast(from, to), paths.path(from, to));
      routers_[to]->route(flows_.unicast(from, to), {}, true);
    }
  }
  if (!multicast_) return;
  for (std::uint32_t r = 0; r < plan_.rounds.size(); ++r) {
    for (const CliquePlan& clique : plan_.rounds[r]) {
      for (const std::uint32_t from : clique.members) {
        const hw::FlowId flow = flows_.multicast(r, from);
        along(flow, paths.tree(from, clique.members));
        for (const std::uint32_t to : clique.members) {
          if (to != from) routers_[to]->route(flow, {}, true);
        }
      }
    }
  }
}

void WanSystem::open_rounds(const Configuration& c) {
  const std::uint32_t sites = plan_.topology.site_count;
  for (std::uint32_t r = 0; r < plan_.rounds.size(); ++r) {
    const auto& cliques = plan_.rounds[r];
    runs_.emplace_back(cliques.size());
    clique_of_.emplace_back(sites, 0);
    ready_at_.emplace_back(cliques.size());
    not_ready_.emplace_back();
    for (std::size_t i = 0; i < cliques.size(); ++i) {
      runs_.back()[i].open = static_cast<std::uint32_t>(cliques[i].members.size());
      not_ready_.back().push_back(runs_.back()[i].open);
      for (const std::uint32_t site : cliques[i].members) {
        clique_of_.back()[site] = i;
        if (aggregators_.empty()) continue;
        agg::SessionConfig session;
        session.packets = plan_.packets;
        session.packet_elements = plan_.packet_elements;
        session.last_elements = plan_.last_elements;
        session.dtype = c.data.dtype;
        std::vector<std::uint32_t> sources;
        for (const std::uint32_t other : cliques[i].members) {
          if (other != site) sources.push_back(other);
        }
        session.sources = static_cast<std::uint32_t>(sources.size());
        aggregators_[site]->open(r, sources, session);
      }
    }
  }
  open_ = std::uint64_t{sites} * plan_.rounds.size() + wafers_.size();
}

void WanSystem::start() {
  for (std::uint32_t site = 0; site < plan_.topology.site_count && !plan_.rounds.empty(); ++site) {
    computed_[site] += plan_.compute[site];
    if (wafers_.empty()) {
      ready(site, 0, plan_.compute[site]);
    } else {
      wafers_[site]->begin(plan_.compute[site]);
    }
  }
}

void WanSystem::ready(std::uint32_t site, std::uint32_t round, hw::Time at) {
  const std::size_t clique = clique_of(site, round);
  ready_at_[round][clique] = std::max(ready_at_[round][clique], at);
  if (--not_ready_[round][clique] == 0) begin(round, clique);
}

void WanSystem::begin(std::uint32_t round, std::size_t index) {
  const CliquePlan& clique = plan_.rounds[round][index];
  CliqueRun& run = runs_[round][index];
  run.begun = true;
  run.begin = ready_at_[round][index];
  for (std::size_t m = 0; m < clique.members.size(); ++m) {
    const std::uint32_t site = clique.members[m];
    agg::WanSite::Round own;
    for (const std::uint32_t other : clique.members) {
      if (other != site) own.peers.push_back(other);
    }
    own.interval = clique.interval;
    own.window = clique.window;
    sites_[site]->begin(round, own, run.begin + clique.starts[m]);
    if (!aggregators_.empty()) aggregators_[site]->begin(round, run.begin);
  }
  // A site alone has nothing to wait for.
  if (clique.members.size() == 1) done(clique.members.front(), round, run.begin);
}

void WanSystem::done(std::uint32_t site, std::uint32_t round, hw::Time at) {
  CliqueRun& run = runs_[round][clique_of(site, round)];
  run.end = std::max(run.end, at);
  --run.open;
  ended(at);
  if (site_done) site_done(site, round);
  if (round + 1 == plan_.rounds.size()) {
    if (!wafers_.empty()) wafers_[site]->spread(at);
    return;
  }
  computed_[site] += plan_.compute[site];
  ready(site, round + 1, at + plan_.compute[site]);
}

void WanSystem::ended(hw::Time at) {
  --open_;
  last_end_ = std::max(last_end_, at);
}

WanSystem::Exchange WanSystem::exchange(std::uint32_t site) const {
  Exchange sum;
  for (std::uint32_t round = 0; round < plan_.rounds.size(); ++round) {
    const std::size_t index = clique_of(site, round);
    const CliqueRun& run = runs_[round][index];
    if (run.open > 0) continue;
    const hw::Time took = run.end - run.begin;
    const hw::Time wan = std::min(
        took, hw::Time::fs(static_cast<std::int64_t>(plan_.rounds[round][index].unhindered_ns * 1e6)));
    sum.wan += wan;
    sum.aggregator += took - wan;
  }
  return sum;
}

}  // namespace fredsim::tb
