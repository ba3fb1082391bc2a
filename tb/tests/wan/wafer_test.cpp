// Sites that are wafers: nine Fred-D of 20 NPUs, and one sum at all of them.
#include <gtest/gtest.h>

#include "tb/tests/wan/wafer_runs.h"

namespace fredsim::tb::test {
namespace {

TEST(Wafers, AllNpusHaveTheSumOfAllSites) {
  expect_global_sum(256 * 1024, all_nine, {});
}

TEST(Wafers, AfterTwoRoundsOfThreesToo) {
  expect_global_sum(64 * 1024, threes, {"data.dtype=fp32", "aggregator.policy=drop", "wan.loss=0.01"});
}

/// Shards that differ in size, and are smaller than a packet.
TEST(Wafers, UnevenShards) {
  expect_global_sum(2 * 333, all_nine, {"data.dtype=bf16"});
}

TEST(Wafers, ComputationComesBeforeTheWafer) {
  WanReplay replay({"wan.update=64 KiB", wafer_set(), "wan.compute=1 s"}, all_nine, false);
  const WanResult& r = replay.run();
  EXPECT_EQ(r.status, Status::ok) << summary(r);
  EXPECT_GT(r.simulated.seconds(), 1.1);
  EXPECT_EQ(r.sites.front().compute, hw::parse_time("1 s"));
  EXPECT_LT(r.sites.front().wafer, hw::parse_time("10 us"));
}

TEST(Wafers, BadOnesAreRefused) {
  const auto refused = [](const std::vector<std::string>& sets) {
    try {
      plan_wan(wan_configuration(sets), wan_topology(wan_configuration(sets)), {});
    } catch (const hw::InputError& error) {
      return std::string(error.what());
    }
    return std::string("accepted");
  };
  EXPECT_NE(refused({"wan.wafer=" FREDSIM_SOURCE_DIR "/tb/configs/mesh.yaml"}).find("tree of switches"),
            std::string::npos);
  EXPECT_NE(refused({"wan.wafer=nowhere.yaml"}).find("nowhere.yaml"), std::string::npos);
  EXPECT_NE(refused({wafer_set(), "wan.repeat=2"}).find("wan.repeat"), std::string::npos);
}

}  // namespace
}  // namespace fredsim::tb::test
