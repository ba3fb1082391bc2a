// The simulation against the closed form, and slot memory against the memory law.
#include <gtest/gtest.h>

#include <fstream>
#include <random>

#include "fpga_agg/schedule/alignment.h"
#include "tb/tests/wan/replay.h"

namespace fredsim::tb::test {
namespace {

constexpr double slot = 2 * 8994;  // FP32 accumulators of a packet of 9000 B

TEST(Timing, ThreesTakeTheClosedFormAndAlmostNoMemory) {
  Replay replay({"wan.update=100 MB", "aggregator.memory=1 MB"}, threes, false);
  const WanResult& r = replay.run();
  EXPECT_EQ(r.status, Status::ok) << summary(r);
  EXPECT_NEAR(r.simulated.seconds(), 0.08 + 0.06722 + 0.08 + 0.15336, 0.001);
  EXPECT_LE(peak(r), 2 * slot);
}

TEST(Timing, AllNineAreAsSlowAsTheMemoryAllows) {
  Replay replay({"wan.update=50 MB", "aggregator.memory=10 MB"}, all_nine, false);
  const WanResult& r = replay.run();
  // 50 MB * 2 * 113.17 ms / 10 MB, and the last arrival.
  EXPECT_NEAR(r.simulated.seconds(), 1.1317 + 0.1296, 0.01 * 1.26);
  EXPECT_LE(peak(r), 10'000'000u);
  EXPECT_GE(peak(r), 10'000'000u - 2 * slot);
  EXPECT_EQ(total(r, [](const AggregatorResult& a) { return a.statistics.dropped; }), 0u);
}

TEST(Timing, SimultaneousStartsNeedTheWholeSkew) {
  Replay replay({"wan.update=400 MB", "aggregator.memory=310 MB", "wan.start=simultaneous"}, all_nine, false);
  const WanResult& r = replay.run();
  EXPECT_NEAR(static_cast<double>(peak(r)), 2 * 1.25e9 * 0.12138, 3 * slot);
}

TEST(Timing, SharedLinksNameWhatLimits) {
  Replay replay({"wan.update=50 MB", "aggregator.memory=unlimited", "wan.contention=all_links"}, all_nine,
                false);
  const WanResult& r = replay.run();
  EXPECT_EQ(r.cliques.front().limit, "link TYO>SEO");
  EXPECT_NEAR(r.simulated.seconds(), 8 * 0.04 + 0.12388, 0.03 * 0.444);
}

TEST(Timing, WindowsAreClockedByTheRoundTrip) {
  Replay replay({"wan.update=20 MB", "aggregator.memory=5 MB", "aggregator.policy=backpressure"}, all_nine,
                false);
  const WanResult& r = replay.run();
  // At the rate M / (e RTT), RTT_max = 2 x 123.88 ms.
  EXPECT_NEAR(r.simulated.seconds(), 20e6 * 2 * 0.24776 / 5e6, 0.35);
}

TEST(Timing, JitterDelaysByNoMoreThanItself) {
  Replay replay({"wan.update=20 MB", "aggregator.memory=10 MB", "wan.jitter=1.2 ms"}, threes, false);
  const WanResult& r = replay.run();
  EXPECT_NEAR(r.simulated.seconds(), 0.016 + 0.06722 + 0.016 + 0.15336, 0.003);
}

TEST(Timing, UnicastTakesACopyForEach) {
  Replay replay({"wan.update=50 MB", "wan.mode=unicast"}, all_nine, false);
  const WanResult& r = replay.run();
  EXPECT_NEAR(r.simulated.seconds(), 8 * 0.04 + 0.1296, 0.02);
  EXPECT_NEAR(static_cast<double>(r.sites.front().sent_bytes), 8 * 50e6, 0.01 * 8 * 50e6);
}

TEST(Timing, ComputationAndAStraggler) {
  Replay replay({"wan.update=1 MB", "wan.compute=1 s", "wan.straggler=SIN", "wan.straggler_compute=3 s"},
                threes, false);
  const WanResult& r = replay.run();
  EXPECT_GT(r.simulated.seconds(), 6.0);
  EXPECT_LT(r.simulated.seconds(), 6.4);
  EXPECT_EQ(r.sites[0].compute, hw::parse_time("2 s"));
  EXPECT_EQ(r.sites[8].compute, hw::parse_time("6 s"));
}

/// A full mesh of random latencies: peak slot memory against the memory law, within two packets of each that
/// is kept, and the time against the closed form.
struct LawCase {
  int seed;
  const char* organization;
  const char* start;
};
std::ostream& operator<<(std::ostream& out, const LawCase& law) {
  return out << law.seed << law.organization << law.start;
}
class MemoryLaw : public testing::TestWithParam<LawCase> {};

TEST_P(MemoryLaw, HoldsInSimulation) {
  const LawCase& law = GetParam();
  std::mt19937_64 random(static_cast<std::uint64_t>(law.seed));
  const std::uint32_t sites = 3 + static_cast<std::uint32_t>(law.seed) % 7;
  const std::string path =
      testing::TempDir() + "law" + std::to_string(law.seed) + law.organization + law.start;
  std::ofstream file(path + ".csv");
  file << "from,to,latency,bandwidth\n";
  for (std::uint32_t i = 0; i < sites; ++i) {
    for (std::uint32_t j = i + 1; j < sites; ++j) {
      file << static_cast<char>('A' + i) << "," << static_cast<char>('A' + j) << "," << 40 + random() % 40
           << " ms,10 Gb/s\n";
    }
  }
  file.close();
  const Configuration c = wan_configuration(
      {"wan.topology=" + path + ".csv", "wan.update=60 MB", "aggregator.memory=unlimited",
       std::string("aggregator.organization=") + law.organization, std::string("wan.start=") + law.start});
  agg::Topology topology = wan_topology(c);
  agg::Round all(1);
  for (std::uint32_t s = 0; s < sites; ++s) all.front().push_back(s);
  const WanPlan plan = plan_wan(c, topology, {all});
  agg::Conditions conditions;
  conditions.update = {60e6, 2};
  conditions.organization = c.aggregator.organization;
  conditions.start = c.wan.start;
  agg::Timer timer(topology, conditions);
  // The starts that the plan has chosen, and the law for them.
  const agg::Alignment alignment =
      agg::with_starts(all.front(), timer.paths(), plan.rounds.front().front().starts);
  double needed = 0;
  for (const std::vector<double>& arrivals : alignment.arrivals_ns) {
    needed =
        std::max(needed, agg::memory_needed(conditions.organization, arrivals, 1.25e9, conditions.update));
  }
  WanOptions options;
  options.data = false;
  WanSimulation simulation(c, plan, options);
  const WanResult& r = simulation.run();
  EXPECT_EQ(r.status, Status::ok) << summary(r);
  const bool buffered = std::string(law.organization) == "buffer_per_source";
  const double tolerance = buffered ? 2 * 9000.0 * (sites - 1) : 2 * slot;
  EXPECT_NEAR(static_cast<double>(peak(r)), needed, tolerance + 0.001 * needed);
  EXPECT_NEAR(r.simulated.seconds(), alignment.last_arrival_ns * 1e-9 + 0.048, 0.001);
}

std::vector<LawCase> law_cases() {
  std::vector<LawCase> cases;
  for (int seed = 0; seed < 10; ++seed) {
    cases.push_back({seed, seed % 2 == 0 ? "accumulate_on_arrival" : "buffer_per_source",
                     seed % 3 == 0 ? "simultaneous" : "arrival_aligned"});
  }
  return cases;
}
INSTANTIATE_TEST_SUITE_P(Timing, MemoryLaw, testing::ValuesIn(law_cases()),
                         [](const auto& tested) { return "topology" + std::to_string(tested.param.seed); });

}  // namespace
}  // namespace fredsim::tb::test
