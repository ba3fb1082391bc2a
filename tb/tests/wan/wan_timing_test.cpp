// The simulation against the closed form.
#include <gtest/gtest.h>

#include "tb/tests/system/simulate.h"
#include "tb/tests/wan/wan_replay.h"

namespace fredsim::tb::test {
namespace {

constexpr double slot = 2 * 8994;  // FP32 accumulators of a packet of 9000 B

TEST(Timing, ThreesTakeTheClosedFormAndAlmostNoMemory) {
  WanReplay replay({"wan.update=100 MB", "aggregator.memory=1 MB"}, threes, false);
  const WanResult& r = replay.run();
  EXPECT_EQ(r.status, Status::ok) << summary(r);
  EXPECT_NEAR(r.simulated.seconds(), 0.08 + 0.06722 + 0.08 + 0.15336, 0.001);
  EXPECT_LE(peak(r), 2 * slot);
}

TEST(Timing, AllNineAreAsSlowAsTheMemoryAllows) {
  WanReplay replay({"wan.update=50 MB", "aggregator.memory=10 MB"}, all_nine, false);
  const WanResult& r = replay.run();
  // 50 MB * 2 * 113.17 ms / 10 MB, and the last arrival.
  EXPECT_NEAR(r.simulated.seconds(), 1.1317 + 0.1296, 0.01 * 1.26);
  EXPECT_LE(peak(r), 10'000'000u);
  EXPECT_GE(peak(r), 10'000'000u - 2 * slot);
  EXPECT_EQ(total(r, [](const AggregatorResult& a) { return a.statistics.dropped; }), 0u);
}

TEST(Timing, SimultaneousStartsNeedTheWholeSkew) {
  WanReplay replay(
      {"wan.update=20 MB", "wan.bandwidth=500 Mb/s", "aggregator.memory=15.5 MB", "wan.start=simultaneous"},
      all_nine, false);
  const WanResult& r = replay.run();
  EXPECT_NEAR(static_cast<double>(peak(r)), 2 * 62.5e6 * 0.12138 * 8994 / 9000, 2 * slot);
}

/// Whatever the memory, threes win where all links are shared and only the destination adds: 5.02 s against
/// 6.52 s for 1 GB at 10 Gb/s. Here a twentieth of both.
class SharedLinks : public testing::TestWithParam<std::tuple<bool, const char*>> {};

TEST_P(SharedLinks, FavourThreesAndNameWhatLimits) {
  const auto [nine, memory] = GetParam();
  WanReplay replay({"wan.update=50 MB", "wan.bandwidth=500 Mb/s", std::string("aggregator.memory=") + memory,
                    "wan.contention=all_links"},
                   nine ? all_nine : threes, false);
  const WanResult& r = replay.run();
  const double seconds = nine ? 6.52 : 5.02;
  EXPECT_NEAR(r.simulated.seconds(), seconds, 0.03 * seconds);
  if (nine) {
    EXPECT_EQ(r.cliques.front().limit, "link TYO>SEO");
  } else {
    EXPECT_EQ(r.cliques.back().limit.rfind("link ", 0), 0u) << r.cliques.back().limit;
  }
}

INSTANTIATE_TEST_SUITE_P(Timing, SharedLinks,
                         testing::Combine(testing::Bool(), testing::Values("15 MB", "unlimited")),
                         [](const auto& tested) {
                           return std::string(std::get<0>(tested.param) ? "nine" : "threes") +
                                  (std::string(std::get<1>(tested.param)) == "unlimited" ? "_unlimited"
                                                                                         : "_15MB");
                         });

TEST(Timing, WindowsAreClockedByTheRoundTrip) {
  WanReplay replay({"wan.update=20 MB", "aggregator.memory=5 MB", "aggregator.policy=backpressure"}, all_nine,
                   false);
  const WanResult& r = replay.run();
  // At the rate M / (e RTT), RTT_max = 2 x 123.88 ms.
  EXPECT_NEAR(r.simulated.seconds(), 20e6 * 2 * 0.24776 / 5e6, 0.35);
}

TEST(Timing, JitterDelaysByNoMoreThanItself) {
  WanReplay replay({"wan.update=20 MB", "aggregator.memory=10 MB", "wan.jitter=1.2 ms"}, threes, false);
  const WanResult& r = replay.run();
  EXPECT_NEAR(r.simulated.seconds(), 0.016 + 0.06722 + 0.016 + 0.15336, 0.003);
}

TEST(Timing, UnicastTakesACopyForEach) {
  WanReplay replay({"wan.update=50 MB", "wan.mode=unicast"}, all_nine, false);
  const WanResult& r = replay.run();
  EXPECT_NEAR(r.simulated.seconds(), 8 * 0.04 + 0.1296, 0.02);
  EXPECT_NEAR(static_cast<double>(r.sites.front().sent_bytes), 8 * 50e6, 0.01 * 8 * 50e6);
}

TEST(Timing, ComputationAndAStraggler) {
  WanReplay replay({"wan.update=1 MB", "wan.compute=1 s", "wan.straggler=SIN", "wan.straggler_compute=3 s"},
                   threes, false);
  const WanResult& r = replay.run();
  EXPECT_GT(r.simulated.seconds(), 6.0);
  EXPECT_LT(r.simulated.seconds(), 6.4);
  EXPECT_EQ(r.sites[0].compute, hw::parse_time("2 s"));
  EXPECT_EQ(r.sites[8].compute, hw::parse_time("6 s"));
}

/// What a run costs: packets that are in flight at once, however long the stream, and less than one kernel
/// event a packet and hop.
TEST(Performance, IsBoundedByWhatIsInFlight) {
  const auto cost = [](const char* update) {
    return nlohmann::json::parse(apart([update] {
      WanReplay replay({std::string("wan.update=") + update, "wan.bandwidth=1 Gb/s"}, threes, false);
      const Performance& p = replay.run().performance;
      return nlohmann::json{p.packets_allocated, p.kernel_events, p.packet_hops}.dump();
    }));
  };
  const nlohmann::json brief = cost("30 MB");
  const nlohmann::json longer = cost("90 MB");
  EXPECT_LE(longer[0].get<double>(), 1.05 * brief[0].get<double>());
  EXPECT_LT(longer[1].get<double>(), longer[2].get<double>());
}

}  // namespace
}  // namespace fredsim::tb::test
