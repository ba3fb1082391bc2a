#pragma once

#include <fmt/format.h>

#include <memory>
#include <string>
#include <vector>

#include "tb/wan/wan_simulation.h"
#include "tb/wan/wan_system.h"

namespace fredsim::tb::test {

using Schedule = std::vector<agg::Round>;

/// A WAN configuration: the nine cities, and what `sets` ("wan.update=1 MB") say.
inline Configuration wan_configuration(const std::vector<std::string>& sets,
                                       const std::string& topology = FREDSIM_SOURCE_DIR
                                       "/tb/configs/nine_city.yaml") {
  std::vector<std::string> all = {"wan.topology=" + topology, "packet.bytes=9000 B"};
  for (const std::string& set : sets) {
    const std::string key = set.substr(0, set.find('=') + 1);
    for (std::string& other : all) {
      if (other.compare(0, key.size(), key) == 0) other.clear();
    }
    all.push_back(set);
  }
  std::vector<std::string> given;
  for (const std::string& set : all) {
    if (!set.empty()) given.push_back(set);
  }
  return parse_configuration("system: wan\n", "test.yaml", given);
}

inline Schedule by_names(const agg::Topology& topology, const std::vector<std::vector<std::string>>& rounds) {
  Schedule schedule;
  for (const auto& cliques : rounds) {
    agg::Round round;
    for (const std::string& names : cliques) {
      agg::Clique clique;
      for (std::size_t at = 0; at < names.size(); at += 4)
        clique.push_back(topology.site(names.substr(at, 3)));
      round.push_back(clique);
    }
    schedule.push_back(agg::normalized(round, topology.site_count));
  }
  return schedule;
}

inline const std::vector<std::vector<std::string>> threes = {{"NYC CHI LAX", "LON FRA AMS", "TYO SEO SIN"},
                                                             {"NYC LON SIN", "CHI FRA TYO", "LAX AMS SEO"}};
inline const std::vector<std::vector<std::string>> all_nine = {{"NYC CHI LAX LON FRA AMS TYO SEO SIN"}};

/// One simulation, as every process can have.
struct WanReplay {
  WanReplay(const std::vector<std::string>& sets, const std::vector<std::vector<std::string>>& rounds,
            bool data = true)
      : configuration(wan_configuration(sets)) {
    agg::Topology topology = wan_topology(configuration);
    const Schedule schedule = by_names(topology, rounds);
    WanOptions options;
    options.data = data;
    simulation = std::make_unique<WanSimulation>(
        configuration, plan_wan(configuration, std::move(topology), schedule), options);
  }

  const WanResult& run() { return simulation->run(); }

  Configuration configuration;
  std::unique_ptr<WanSimulation> simulation;
};

/// Sum over all aggregators.
template <class Field>
auto total(const WanResult& result, Field field) {
  auto sum = field(result.aggregators.front());
  sum = {};
  for (const AggregatorResult& a : result.aggregators) sum += field(a);
  return sum;
}

inline std::uint64_t peak(const WanResult& result) {
  std::uint64_t most = 0;
  for (const AggregatorResult& a : result.aggregators) most = std::max(most, a.peak);
  return most;
}

}  // namespace fredsim::tb::test
