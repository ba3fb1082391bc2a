#include "fpga_agg/schedule/search.h"

#include <gtest/gtest.h>

#include "fpga_agg/schedule/mixing.h"
#include "fpga_agg/schedule/partitions.h"
#include "tb/tests/schedule/cities.h"

namespace fredsim::agg::test {
namespace {

std::vector<Candidate> searched(const Topology& t, double memory, Objective objective = Objective::exact,
                                Contention contention = Contention::access_only) {
  Conditions conditions;
  conditions.memory = memory;
  conditions.contention = contention;
  Timer timer(t, conditions);
  return search(timer, objective);
}

TEST(Search, LittleMemoryFavoursThreesAndMuchAllAtOnce) {
  const Topology t = nine_cities();
  const std::vector<Candidate> little = searched(t, 88.2e6);
  ASSERT_EQ(little.front().rounds.size(), 2u);
  EXPECT_TRUE(little.front().exact);
  for (const Round& round : little.front().rounds) {
    EXPECT_EQ(sizes(round), (std::vector<std::size_t>{3, 3, 3}));
  }
  Timer timer(t, Conditions{});
  const double by_region = timer.ns(regions(t)) + timer.ns(across_regions(t));
  EXPECT_LE(little.front().total_ns, by_region);
  const std::vector<Candidate> much = searched(t, 3e9);
  EXPECT_EQ(much.front().rounds, (std::vector<Round>{all_nine(t)}));
}

/// The complete search against plain enumeration of all pairs of the 280 partitions.
TEST(Search, BestPairOfThreesIsTheBest) {
  const Topology t = nine_cities();
  for (const Contention contention : {Contention::access_only, Contention::all_links}) {
    Conditions conditions;
    conditions.memory = 50e6;
    conditions.contention = contention;
    Timer timer(t, conditions);
    const std::vector<Round> pool = equal_partitions(9, 3);
    std::vector<double> ns;
    for (const Round& round : pool) ns.push_back(timer.ns(round));
    double best = std::numeric_limits<double>::infinity();
    for (std::size_t i = 0; i < pool.size(); ++i) {
      for (std::size_t j = i + 1; j < pool.size(); ++j) {
        if (ns[i] + ns[j] < best && is_exact({pool[i], pool[j]}, 9)) best = ns[i] + ns[j];
      }
    }
    double found = std::numeric_limits<double>::infinity();
    for (const Candidate& c : search(timer, Objective::exact)) {
      if (c.rounds.size() == 2 && c.rounds[0].size() == 3 && c.rounds[1].size() == 3) found = c.total_ns;
    }
    EXPECT_NEAR(found, best, 1e-3);
  }
}

TEST(Search, ListsUnequalCliquesAndEveryPairOnce) {
  const Topology t = nine_cities();
  bool unequal = false;
  bool plane = false;
  for (const Candidate& c : searched(t, 88.2e6)) {
    EXPECT_TRUE(c.exact);
    unequal = unequal || (c.rounds.size() == 2 && c.rounds[0].size() == 2);
    plane = plane || (c.rounds.size() == 4 && std::abs(mean_second_eigenvalue(c.rounds, 9) - 0.25) < 1e-12);
  }
  EXPECT_TRUE(unequal);
  EXPECT_TRUE(plane);
}

TEST(Search, ThreeRoundsOfPairsForEightSites) {
  std::vector<std::string> latencies(28, "10");
  const std::vector<Candidate> found = searched(mesh(8, latencies), 1e6);
  bool cube = false;
  for (const Candidate& c : found)
    cube = cube || (c.exact && c.rounds.size() == 3 && c.rounds[0].size() == 4);
  EXPECT_TRUE(cube);
}

TEST(Search, ThatManySitesDivideDecides) {
  // Seven is prime: only all at once averages exactly.
  const std::vector<Candidate> seven = searched(mesh(7, std::vector<std::string>(21, "10")), 1e6);
  ASSERT_EQ(seven.front().rounds.size(), 1u);
  EXPECT_TRUE(seven.front().exact);
  const std::vector<Candidate> two = searched(mesh(2, {"10"}), 1e6);
  EXPECT_EQ(two.front().rounds, (std::vector<Round>{{{0, 1}}}));
}

TEST(Search, ContractionPrefersWhatMixesFasterPerSecond) {
  const Topology t = nine_cities();
  const std::vector<Candidate> found = searched(t, 1e6, Objective::contraction);
  for (std::size_t i = 1; i < found.size(); ++i) {
    EXPECT_GE(contraction_per_second(found[i - 1]), contraction_per_second(found[i]));
  }
  EXPECT_GE(contraction_per_second(found.front()), contraction_per_second(searched(t, 1e6).front()));
}

/// Sixteen sites in four far clusters: the grid must put clusters and one of each into the cliques.
TEST(Search, LocalSearchFindsTheClusters) {
  std::vector<std::string> latencies;
  for (int i = 0; i < 16; ++i) {
    for (int j = i + 1; j < 16; ++j) latencies.push_back(i % 4 == j % 4 ? "1" : "100");
  }
  const std::vector<Candidate> found = searched(mesh(16, latencies), 1e6);
  double best = std::numeric_limits<double>::infinity();
  for (const Candidate& c : found) {
    EXPECT_TRUE(c.exact);
    if (c.rounds.size() == 2 && c.rounds[0].size() == 4 && c.rounds[1].size() == 4) best = c.total_ns;
  }
  // Within a cluster 1 ms, across 100 ms, both without skew: 0.8 + 0.001 + 0.8 + 0.1 s.
  EXPECT_NEAR(best * 1e-9, 1.701, 1e-6);
}

TEST(Search, SixtyFourSites) {
  std::vector<std::string> sites;
  std::string text = "sites: [";
  for (int i = 0; i < 64; ++i) text += (i > 0 ? ", s" : "s") + std::to_string(i);
  text += "]\nlinks:\n";
  for (int i = 0; i < 64; ++i) {
    text += "  - {from: s" + std::to_string(i) + ", to: s" + std::to_string((i + 1) % 64) +
            ", latency: 3 ms, bandwidth: 10 Gb/s}\n";
  }
  const Topology t = parse_topology_yaml(text, "ring.yaml");
  Conditions conditions;
  conditions.memory = 1e6;
  Timer timer(t, conditions);
  const std::vector<Candidate> grids = search_grids(timer);
  EXPECT_EQ(grids.size(), 10u);  // the partitions of six (64 is 2^6) but for six itself
  for (const Candidate& c : grids) EXPECT_TRUE(c.exact);
}

}  // namespace
}  // namespace fredsim::agg::test
