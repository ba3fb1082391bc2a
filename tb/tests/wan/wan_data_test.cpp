// Right data at every site, whatever the memory, the policy, jitter and loss.
#include <gtest/gtest.h>

#include <random>

#include "tb/tests/wan/wan_replay.h"

namespace fredsim::tb::test {
namespace {

void expect_right(const WanResult& result, std::uint64_t elements) {
  EXPECT_EQ(result.status, Status::ok) << summary(result);
  EXPECT_EQ(result.wrong_elements, 0u);
  EXPECT_EQ(result.verified_elements, elements);
}

class EveryFormat : public testing::TestWithParam<std::tuple<const char*, const char*, const char*>> {};

TEST_P(EveryFormat, TwoRoundsOfThrees) {
  const auto [dtype, organization, policy] = GetParam();
  WanReplay replay(
      {std::string("data.dtype=") + dtype, std::string("aggregator.organization=") + organization,
       std::string("aggregator.policy=") + policy, "wan.update=300002 B", "wan.jitter=1.2 ms",
       "aggregator.memory=90 KB"},
      threes);
  const std::size_t element = std::string(dtype) == "fp16" || std::string(dtype) == "bf16" ? 2 : 4;
  expect_right(replay.run(), 2 * 9 * ((300002 + element - 1) / element));
}

INSTANTIATE_TEST_SUITE_P(Data, EveryFormat,
                         testing::Combine(testing::Values("fp16", "bf16", "fp32", "int32"),
                                          testing::Values("accumulate_on_arrival", "buffer_per_source"),
                                          testing::Values("pace", "backpressure", "drop", "bypass")),
                         [](const auto& tested) {
                           return std::string(std::get<0>(tested.param)) + "_" + std::get<1>(tested.param) +
                                  "_" + std::get<2>(tested.param);
                         });

/// Data that round: the same bits with any jitter, since the order of adding is fixed.
TEST(Data, FixedOrderWhateverTheJitter) {
  WanReplay replay({"data.pattern=rounding", "aggregator.organization=buffer_per_source", "wan.update=500 KB",
                    "wan.jitter=5 ms", "wan.loss=0.01", "aggregator.memory=unlimited"},
                   all_nine);
  expect_right(replay.run(), 9 * 250000);
}

TEST(Data, SitesAloneKeepTheirOwn) {
  WanReplay replay({"wan.update=100 KB"}, {{"NYC CHI", "LON FRA AMS"}, {"SIN TYO"}});
  expect_right(replay.run(), 2 * 9 * 50000);
}

TEST(Data, FewerElementsThanSites) {
  WanReplay replay({"wan.update=1 B", "aggregator.memory=100 KB"}, all_nine);
  expect_right(replay.run(), 9);
}

TEST(Data, ManyRoundsBackToBack) {
  WanReplay replay({"wan.update=200 KB", "wan.repeat=3", "data.dtype=fp32", "aggregator.memory=200 KB"},
                   threes);
  expect_right(replay.run(), 6 * 9 * 50000);
}

class EveryMode : public testing::TestWithParam<const char*> {};
TEST_P(EveryMode, RightData) {
  WanReplay replay({std::string("wan.mode=") + GetParam(), "wan.update=300 KB", "aggregator.memory=1 MB"},
                   all_nine);
  expect_right(replay.run(), 9 * 150000);
}
INSTANTIATE_TEST_SUITE_P(Data, EveryMode,
                         testing::Values("both", "multicast", "aggregation", "unicast", "colocated"),
                         [](const auto& tested) { return std::string(tested.param); });

}  // namespace
}  // namespace fredsim::tb::test
