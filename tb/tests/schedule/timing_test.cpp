// Closed-form times against figures worked out by hand: G = 1 GB, FP16 in FP32 accumulators.
#include "fpga_agg/schedule/timing.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "fpga_agg/schedule/candidates.h"
#include "tb/tests/schedule/cities.h"

namespace fredsim::agg::test {
namespace {

constexpr double unlimited = std::numeric_limits<double>::infinity();

Conditions with_memory(double bytes) {
  Conditions conditions;
  conditions.memory = bytes;
  return conditions;
}

TEST(Alignment, ThreeSymmetricSitesArriveTogether) {
  const Topology t = nine_cities();
  const ShortestPaths paths(t);
  const Clique three = clique(t, "NYC LON SIN");
  const Alignment a = aligned(three, paths);
  EXPECT_NEAR(a.skew_ns, 0, 1e-3);
  // s_1 = d_23, s_2 = d_13, s_3 = d_12, less the earliest of them.
  EXPECT_NEAR(a.start[0].ns() * 1e-6, 76.68 - 33.65, 1e-6);
  EXPECT_NEAR(a.start[1].ns() * 1e-6, 110.33 - 33.65, 1e-6);
  EXPECT_EQ(a.start[2], hw::Time());
  EXPECT_NEAR(a.last_arrival_ns * 1e-6, 153.36, 1e-6);
}

TEST(Alignment, BestWorstSkewOfAllNine) {
  const Topology t = nine_cities();
  const ShortestPaths paths(t);
  const Clique nine = all_nine(t).front();
  EXPECT_NEAR(aligned(nine, paths).skew_ns * 1e-6, 113.17, 1e-6);
  const Alignment at_once = simultaneous(nine, paths);
  EXPECT_NEAR(at_once.skew_ns * 1e-6, 121.38, 1e-6);
  EXPECT_NEAR(at_once.last_arrival_ns * 1e-6, 123.88, 1e-6);
}

/// Random starts never beat the offsets, which do what they promise; latencies differ by direction.
TEST(Alignment, NoOtherOffsetsAreBetter) {
  std::mt19937_64 random(7);
  const auto below = [&](std::uint64_t n) { return random() % n; };
  for (int c = 0; c < 40; ++c) {
    const std::uint32_t sites = 3 + static_cast<std::uint32_t>(below(4));
    Topology t = mesh(sites, std::vector<std::string>(15, "1"));
    for (WanLink& link : t.links) {
      link.latency = hw::Time::fs(static_cast<std::int64_t>(50 + below(50)) * 1'000'000'000'000);
    }
    const ShortestPaths paths(t);
    Clique all;
    for (std::uint32_t s = 0; s < sites; ++s) all.push_back(s);
    const Alignment best = aligned(all, paths);
    EXPECT_LE(best.skew_ns, simultaneous(all, paths).skew_ns + 1e-3);
    for (int other = 0; other < 500; ++other) {
      std::vector<hw::Time> starts = best.start;
      for (hw::Time& start : starts) {
        const auto shift =
            static_cast<std::int64_t>(below(other < 250 ? 21 : 201)) - (other < 250 ? 10 : 100);
        start += hw::Time::fs(shift * 1'000'000'000'000);
      }
      EXPECT_GE(with_starts(all, paths, starts).skew_ns, best.skew_ns - 1e-3);
    }
  }
}

TEST(MemoryLaw, AllNineUnaligned) {
  const Topology t = nine_cities();
  const ShortestPaths paths(t);
  const Alignment a = simultaneous(all_nine(t).front(), paths);
  const std::vector<double>& at_fra = a.arrivals_ns[t.site("FRA")];
  const auto organization = Organization::accumulate_on_arrival;
  EXPECT_NEAR(memory_needed(organization, at_fra, 1.25e9, {1e9, 1}), 151.7e6, 0.05e6);
  EXPECT_NEAR(memory_needed(organization, at_fra, 1.25e9, {1e9, 2}), 303.4e6, 0.1e6);
  EXPECT_NEAR(memory_needed(organization, at_fra, 12.5e9, {1e9, 2}), 2e9, 1);  // the whole update
}

TEST(MemoryLaw, BufferPerSourceKeepsWhatEachIsAhead) {
  const std::vector<double> arrivals = {10e6, 40e6, 20e6};
  const auto organization = Organization::buffer_per_source;
  // 1 GB/s: 30 MB, 0 and 20 MB ahead.
  EXPECT_NEAR(memory_needed(organization, arrivals, 1e9, {1e9, 2}), 50e6, 1);
  EXPECT_NEAR(memory_needed(organization, arrivals, 1e9, {25e6, 2}), 45e6, 1);
  EXPECT_NEAR(memory_needed(organization, arrivals, 1e9, {1e6, 2}), 2e6, 1);
  for (const double memory : {1e6, 20e6, 45e6, 49e6, 60e6}) {
    const double rate = rate_within(organization, arrivals, memory, {25e6, 2});
    if (!std::isinf(rate)) {
      EXPECT_NEAR(memory_needed(organization, arrivals, rate, {25e6, 2}), memory, 1);
    }
  }
  EXPECT_EQ(rate_within(organization, arrivals, 50e6, {25e6, 2}), unlimited);
}

TEST(MemoryLaw, FiniteMemoryLowersTheRate) {
  const auto organization = Organization::accumulate_on_arrival;
  EXPECT_NEAR(rate_within(organization, {0, 113.17e6}, 1e6, {1e9, 2}), 1e6 / (2 * 0.11317), 1);
  EXPECT_EQ(rate_within(organization, {0, 113.17e6}, 2e9, {1e9, 2}), unlimited);
  EXPECT_EQ(rate_within(organization, {5, 5}, 1, {1e9, 2}), unlimited);
  EXPECT_EQ(rate_within(organization, {}, 1, {1e9, 2}), unlimited);
  EXPECT_NEAR(self_clocked_rate(1.25e9, 1e6, 2, 200e6), 2.5e6, 1);
  EXPECT_EQ(self_clocked_rate(1.25e9, 1e12, 2, 200e6), 1.25e9);
}

TEST(Timing, CrossoverTable) {
  struct Row {
    double memory, threes_10, nine_10, threes_100, nine_100;
  };
  const std::vector<Row> table = {{1e6, 1.821, 226.5, 0.381, 226.5},
                                  {44.7e6, 1.821, 5.193, 0.381, 5.193},
                                  {88.2e6, 1.821, 2.696, 0.381, 2.696},
                                  {283e6, 1.821, 0.930, 0.381, 0.929},
                                  {3e9, 1.821, 0.924, 0.381, 0.204}};
  for (const char* bandwidth : {"10 Gb/s", "100 Gb/s"}) {
    const Topology t = nine_cities().with_bandwidth(hw::parse_bandwidth(bandwidth));
    for (const Row& row : table) {
      Timer timer(t, with_memory(row.memory));
      const double threes = (timer.ns(regions(t)) + timer.ns(across_regions(t))) * 1e-9;
      const double nine = timer.ns(all_nine(t)) * 1e-9;
      const bool slow = bandwidth[2] == ' ';
      // As many digits as the table has.
      EXPECT_NEAR(threes, slow ? row.threes_10 : row.threes_100, 0.0006) << row.memory;
      const double expected = slow ? row.nine_10 : row.nine_100;
      EXPECT_NEAR(nine, expected, expected > 100 ? 0.06 : 0.0006) << row.memory;
    }
  }
}

TEST(Timing, Crossovers) {
  for (const auto& [bandwidth, expected] : {std::make_pair("10 Gb/s", 133.9e6), {"100 Gb/s", 902e6}}) {
    const Topology t = nine_cities().with_bandwidth(hw::parse_bandwidth(bandwidth));
    Timer timer(t, Conditions{});
    const std::vector<Candidate> both = {assess(timer, {regions(t), across_regions(t)}),
                                         assess(timer, {all_nine(t)})};
    const auto bytes = crossover(timer, both);
    ASSERT_TRUE(bytes.has_value());
    EXPECT_NEAR(*bytes, expected, 0.001 * expected);
  }
}

TEST(Timing, SharedLinksWithAggregationAtTheDestinationOnly) {
  const Topology t = nine_cities();
  Conditions conditions;
  conditions.contention = Contention::all_links;
  for (const double memory : {1e6, 88.2e6, 3e9, unlimited}) {
    conditions.memory = memory;
    Timer timer(t, conditions);
    const double threes = (timer.ns(regions(t)) + timer.ns(across_regions(t))) * 1e-9;
    EXPECT_NEAR(threes, 5.02, 0.005);
    EXPECT_GT(timer.ns(all_nine(t)) * 1e-9, threes);
  }
  Timer timer(t, conditions);
  const RoundTime nine = timer.time(all_nine(t));
  EXPECT_NEAR(nine.ns * 1e-9, 6.52, 0.005);
  EXPECT_EQ(nine.cliques[0].rate.limit, "link TYO>SEO");
  const RoundTime columns = timer.time(across_regions(t));
  EXPECT_EQ(columns.cliques[0].rate.limit, "link LON>NYC");  // as full as LON>SIN
  EXPECT_NEAR(columns.cliques[0].rate.bytes_per_s, 1.25e9 / 4, 1);
  const std::vector<Candidate> both = {assess(timer, {regions(t), across_regions(t)}),
                                       assess(timer, {all_nine(t)})};
  EXPECT_EQ(crossover(timer, both), std::nullopt);
}

/// A, B and C, D share the link R>S; E, F have one of their own.
TEST(Timing, RatesAreMaxMinFair) {
  const Topology t = parse_topology_yaml(
      "sites: [A, B, C, D, E, F]\nrouters: [R, S]\nlinks:\n"
      "  - {from: A, to: R, latency: 1 ms, bandwidth: 3 Gb/s}\n"
      "  - {from: C, to: R, latency: 1 ms, bandwidth: 40 Gb/s}\n"
      "  - {from: E, to: F, latency: 1 ms, bandwidth: 7 Gb/s}\n"
      "  - {from: R, to: S, latency: 1 ms, bandwidth: 10 Gb/s}\n"
      "  - {from: S, to: B, latency: 1 ms, bandwidth: 40 Gb/s}\n"
      "  - {from: S, to: D, latency: 1 ms, bandwidth: 40 Gb/s}\n"
      "  - {from: S, to: F, latency: 9 ms, bandwidth: 1 Gb/s}\n",
      "t.yaml");
  const ShortestPaths paths(t);
  const Round pairs = {{0, 1}, {2, 3}, {4, 5}};
  const auto rates = clique_rates(t, paths, pairs, Contention::all_links, {unlimited, unlimited, unlimited});
  EXPECT_NEAR(rates[0].bytes_per_s, 3e9 / 8, 1);
  EXPECT_NEAR(rates[1].bytes_per_s, 7e9 / 8, 1);
  EXPECT_NEAR(rates[2].bytes_per_s, 7e9 / 8, 1);
  EXPECT_EQ(rates[1].limit, "link R>S");
  const auto apart = clique_rates(t, paths, pairs, Contention::access_only, {unlimited, 1e6, unlimited});
  EXPECT_EQ(apart[1].limit, "memory");
  EXPECT_NEAR(apart[1].bytes_per_s, 1e6, 1);
  EXPECT_EQ(apart[0].limit, "access of A");
}

TEST(Timing, ASiteAloneCostsNothing) {
  const Topology t = nine_cities();
  Timer timer(t, with_memory(1000));
  EXPECT_EQ(timer.ns(normalized({}, 9)), 0.0);
  const Round pair = normalized({clique(t, "LON AMS")}, 9);
  EXPECT_NEAR(timer.ns(pair), 2.88e6 + 0.8e9, 1);  // a single stream needs no alignment and no memory
}

TEST(Timing, SimultaneousStartsNeedMoreMemory) {
  const Topology t = nine_cities();
  Conditions conditions = with_memory(10e6);
  conditions.start = Start::simultaneous;
  Timer at_once(t, conditions);
  Timer timer(t, with_memory(10e6));
  EXPECT_NEAR(at_once.time(all_nine(t)).cliques[0].memory_needed, 303.45e6, 1e4);
  EXPECT_NEAR(timer.time(all_nine(t)).cliques[0].memory_needed, 2 * 1.25e9 * 0.11317, 1e4);
  EXPECT_EQ(timer.time(regions(t)).cliques[0].memory_needed, 0.0);
  EXPECT_GT(at_once.ns(regions(t)), timer.ns(regions(t)));
}

}  // namespace
}  // namespace fredsim::agg::test
