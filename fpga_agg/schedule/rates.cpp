#include "fpga_agg/schedule/rates.h"

#include <limits>

namespace fredsim::agg {
namespace {

/// Per clique, how many times its sources' packets cross each link.
using Loads = std::vector<std::vector<std::uint32_t>>;

Loads loads_of(const Topology& topology, const ShortestPaths& paths, const Round& round, bool multicast) {
  Loads loads(round.size(), std::vector<std::uint32_t>(topology.links.size(), 0));
  for (std::size_t c = 0; c < round.size(); ++c) {
    if (round[c].size() < 2) continue;
    for (const std::uint32_t source : round[c]) {
      if (multicast) {
        for (const std::uint32_t link : paths.tree(source, round[c])) ++loads[c][link];
        continue;
      }
      for (const std::uint32_t to : round[c]) {
        for (const std::uint32_t link : paths.path(source, to)) ++loads[c][link];
      }
    }
  }
  return loads;
}

/// What a clique reaches alone: its members' lines, its memory, and each link for one stream.
CliqueRate alone(const Topology& topology, const ShortestPaths& paths, const Clique& clique, double cap,
                 Copies copies) {
  const double streams = copies.multicast && copies.aggregate ? 1.0 : static_cast<double>(clique.size() - 1);
  CliqueRate rate{std::numeric_limits<double>::infinity(), ""};
  std::uint32_t slowest = 0;
  bool by_link = false;
  for (const std::uint32_t site : clique) {
    const double bytes_per_s = topology.access_bandwidth(site).bytes_per_second() / streams;
    if (bytes_per_s < rate.bytes_per_s) rate = {bytes_per_s, "access of " + topology.nodes[site]};
  }
  for (const std::uint32_t from : clique) {
    for (const std::uint32_t to : clique) {
      if (from == to) continue;
      const std::uint32_t link = paths.slowest_link(from, to);
      const double bytes_per_s = topology.links[link].bandwidth.bytes_per_second();
      if (bytes_per_s >= rate.bytes_per_s) continue;
      rate.bytes_per_s = bytes_per_s;
      slowest = link;
      by_link = true;
    }
  }
  if (by_link) rate.limit = "link " + topology.link_name(slowest);
  if (cap < rate.bytes_per_s) rate = {cap, "memory"};
  return rate;
}

/// Progressive filling: every step freezes at least one clique.
void share_links(const Topology& topology, const Loads& loads, std::vector<CliqueRate>& rates) {
  std::vector<bool> frozen(rates.size(), false);
  std::vector<double> left;
  for (const WanLink& link : topology.links) left.push_back(link.bandwidth.bytes_per_second());
  std::size_t open = 0;
  for (std::size_t c = 0; c < rates.size(); ++c) {
    frozen[c] = rates[c].bytes_per_s == 0;
    if (!frozen[c]) ++open;
  }
  const auto freeze = [&](std::size_t c) {
    frozen[c] = true;
    --open;
    for (std::size_t l = 0; l < left.size(); ++l) left[l] -= loads[c][l] * rates[c].bytes_per_s;
  };
  while (open > 0) {
    double level = std::numeric_limits<double>::infinity();
    std::size_t fullest = left.size();
    for (std::size_t l = 0; l < left.size(); ++l) {
      std::uint32_t load = 0;
      for (std::size_t c = 0; c < rates.size(); ++c) load += frozen[c] ? 0 : loads[c][l];
      if (load == 0 || left[l] / load >= level) continue;
      level = left[l] / load;
      fullest = l;
    }
    bool by_itself = false;
    for (std::size_t c = 0; c < rates.size(); ++c) {
      if (frozen[c] || rates[c].bytes_per_s > level) continue;
      freeze(c);
      by_itself = true;
    }
    if (by_itself) continue;
    for (std::size_t c = 0; c < rates.size(); ++c) {
      if (frozen[c] || loads[c][fullest] == 0) continue;
      rates[c] = {level, "link " + topology.link_name(static_cast<std::uint32_t>(fullest))};
      freeze(c);
    }
  }
}

}  // namespace

std::vector<CliqueRate> clique_rates(const Topology& topology, const ShortestPaths& paths, const Round& round,
                                     Contention contention, const std::vector<double>& caps, Copies copies) {
  std::vector<CliqueRate> rates(round.size());
  for (std::size_t c = 0; c < round.size(); ++c) {
    if (round[c].size() > 1) rates[c] = alone(topology, paths, round[c], caps[c], copies);
  }
  if (contention == Contention::all_links) {
    share_links(topology, loads_of(topology, paths, round, copies.multicast), rates);
  }
  return rates;
}

}  // namespace fredsim::agg
