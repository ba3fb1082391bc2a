// Lost packets, full memory, dead sources: right data, or a named reason.
#include <gtest/gtest.h>

#include "tb/tests/wan/wan_replay.h"

namespace fredsim::tb::test {
namespace {

std::uint64_t dropped(const WanResult& r) {
  return total(r, [](const AggregatorResult& a) { return a.statistics.dropped; });
}

TEST(Faults, LostPacketsAreSentAgain) {
  WanReplay replay({"wan.update=2 MB", "wan.loss=0.05", "seed=3"}, threes);
  const WanResult& r = replay.run();
  EXPECT_EQ(r.status, Status::ok) << summary(r);
  EXPECT_EQ(r.wrong_elements, 0u);
  EXPECT_GT(r.lost, 0u);
  EXPECT_GE(r.resent, r.lost);
}

TEST(Faults, FullMemoryDropsAndResends) {
  WanReplay replay({"wan.update=5 MB", "aggregator.policy=drop", "aggregator.memory=500 KB"}, all_nine);
  const WanResult& r = replay.run();
  EXPECT_EQ(r.status, Status::ok) << summary(r);
  EXPECT_GT(dropped(r), 0u);
  EXPECT_LE(peak(r), 500'000u);
}

TEST(Faults, FullMemoryIsBypassed) {
  WanReplay replay({"wan.update=5 MB", "aggregator.policy=bypass", "aggregator.memory=500 KB"}, all_nine);
  const WanResult& r = replay.run();
  EXPECT_EQ(r.status, Status::ok) << summary(r);
  EXPECT_GT(total(r, [](const AggregatorResult& a) { return a.statistics.bypassed; }), 0u);
  EXPECT_LE(peak(r), 500'000u);
}

TEST(Faults, FullMemoryIsNeverReachedWithWindowsOrPace) {
  WanReplay replay({"wan.update=3 MB", "aggregator.policy=backpressure", "aggregator.memory=500 KB"},
                   all_nine);
  const WanResult& r = replay.run();
  EXPECT_EQ(r.status, Status::ok) << summary(r);
  EXPECT_EQ(dropped(r), 0u);
  EXPECT_LE(peak(r), 500'000u);
}

class DeadSource : public testing::TestWithParam<const char*> {};

/// Tokyo stops in the middle of a round: it is named, and nobody hangs.
TEST_P(DeadSource, IsNamed) {
  WanReplay replay({"wan.update=1 MB", std::string("aggregator.on_timeout=") + GetParam()}, threes);
  replay.simulation->system().sites()[6]->fail_after(50);
  const WanResult& r = replay.run();
  EXPECT_EQ(r.status, Status::unfinished);
  EXPECT_EQ(r.wrong_elements, 0u);
  bool named = false;
  for (const std::string& reason : r.reasons) {
    named = named || reason.find("TYO has sent nothing of round 1 from packet") != std::string::npos;
  }
  EXPECT_TRUE(named) << summary(r);
  if (std::string(GetParam()) == "partial") {
    EXPECT_GT(total(r, [](const AggregatorResult& a) { return a.statistics.partial; }), 0u);
  }
}

INSTANTIATE_TEST_SUITE_P(Faults, DeadSource, testing::Values("wait", "partial", "abort"),
                         [](const auto& tested) { return std::string(tested.param); });

/// Tokyo sends nothing for three seconds, is asked again, and goes on: what then comes twice counts once.
TEST(Faults, StalledSourceGoesOn) {
  WanReplay replay({"wan.update=1 MB", "aggregator.timeout=500 ms"}, threes);
  replay.simulation->system().sites()[6]->fail_after(50, hw::parse_time("1.5 s"));
  const WanResult& r = replay.run();
  EXPECT_EQ(r.status, Status::ok) << summary(r);
  EXPECT_EQ(r.wrong_elements, 0u);
  EXPECT_GT(r.simulated, hw::parse_time("1.5 s"));
  EXPECT_GT(total(r, [](const AggregatorResult& a) { return a.statistics.resent; }), 0u);
  EXPECT_GT(total(r, [](const AggregatorResult& a) { return a.statistics.late + a.statistics.duplicates; }),
            0u);
}

TEST(Faults, LastPacketLost) {
  // With a few packets and half of them lost, last ones are among them.
  WanReplay replay({"wan.update=40 KB", "wan.loss=0.5", "aggregator.retries=50"}, threes);
  const WanResult& r = replay.run();
  EXPECT_EQ(r.status, Status::ok) << summary(r);
  EXPECT_EQ(r.wrong_elements, 0u);
}

}  // namespace
}  // namespace fredsim::tb::test
