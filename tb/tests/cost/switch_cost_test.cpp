#include "tb/cost/switch_cost.h"

#include <gtest/gtest.h>

#include "tb/cost/energy.h"

namespace fredsim::tb {
namespace {

Configuration ready(const std::string& name, const std::vector<std::string>& sets = {}) {
  return load_configuration(std::string(FREDSIM_SOURCE_DIR) + "/tb/configs/" + name + ".yaml", sets);
}

FabricCost cost_of(const Configuration& configuration) {
  return fabric_cost(configuration, cost_coefficients(configuration));
}

/// FRED sec. 6.2.3 and table 4: all switches of the wafer together, 25195 mm2 of which logic is under 5 %,
/// and 179.35 W.
TEST(SwitchCost, GivesThePapersTotals) {
  const FabricCost cost = cost_of(ready("fred_d"));
  EXPECT_NEAR(*cost.area_mm2, 25195, 0.5);
  EXPECT_NEAR(cost.peak_w, 179.35, 0.005);
  EXPECT_LE(*cost.logic_mm2 / *cost.area_mm2, 0.05);
  EXPECT_GT(*cost.logic_mm2 / *cost.area_mm2, 0.045);
}

/// By hand from FRED sec. 4 and 6.2.3. FRED_3(12): 24 R, 24 D, 27 RD, 9 demuxes and muxes each; FRED_3(5):
/// 5 R, 5 D, 9 RD, 4 and 4. An input port has 3 x 24 KiB + 2 KiB.
TEST(SwitchCost, CountsWhatSwitchesAreMadeOf) {
  const FabricCost cost = cost_of(ready("fred_d"));
  ASSERT_EQ(cost.levels.size(), 2u);
  const SwitchCost& leaf = cost.levels[0];
  EXPECT_EQ(leaf.switches, 5u);
  EXPECT_EQ(leaf.r, 24u);
  EXPECT_EQ(leaf.rd, 27u);
  EXPECT_EQ(leaf.plain, 18u);
  EXPECT_EQ(leaf.alus, 51u);
  // 3 TB/s of elements of 2 or 4 bytes, one a cycle of 1 GHz.
  EXPECT_EQ(leaf.adders, (hw::AddCounts{51 * 1500, 51 * 1500, 51 * 750, 51 * 750}));
  EXPECT_EQ(*leaf.buffer_bits, 12u * 74 * 1024 * 8);
  EXPECT_EQ(leaf.staging_bits, 12u * 3 * 3 * 4096 * 8);
  EXPECT_EQ(leaf.route_bits, 1536u * 8);
  EXPECT_DOUBLE_EQ(leaf.io_bytes_per_s, 8 * 3e12 + 4 * 128e9);
  EXPECT_NEAR(leaf.edge_mm, 24512 / 107.4, 1e-9);
  const SwitchCost& root = cost.levels[1];
  EXPECT_EQ(root.switches, 4u);
  EXPECT_EQ(root.alus, 14u);
  EXPECT_EQ(root.plain, 8u);
  EXPECT_EQ(*root.buffer_bits, 5u * 74 * 1024 * 8);
  EXPECT_NEAR(root.edge_mm, 15000 / 107.4, 1e-9);
}

TEST(SwitchCost, FollowsTheConfiguration) {
  // Fred-B has a quarter of a plane's bandwidth: 375 GB/s, and so smaller dies.
  const FabricCost b = cost_of(ready("fred_b"));
  EXPECT_NEAR(b.levels[1].edge_mm, 5 * 375 / 107.4, 1e-9);
  EXPECT_NEAR(b.levels[0].edge_mm, (4 * 3000 + 4 * 128 + 4 * 375) / 107.4, 1e-9);
  EXPECT_LT(b.peak_w, 100);
  const FabricCost one = cost_of(ready("single_switch", {"switch.middle=2"}));
  ASSERT_EQ(one.levels.size(), 1u);
  EXPECT_EQ(one.levels[0].r + one.levels[0].d + one.levels[0].rd, 20u);  // a Benes network of 8
  EXPECT_TRUE(cost_of(ready("mesh")).levels.empty());
}

/// What has no size has no area: no figure is made up.
TEST(SwitchCost, HasNoAreaWithUnlimitedBuffers) {
  const FabricCost cost = cost_of(ready("fred_d", {"buffer.dp=unlimited"}));
  EXPECT_FALSE(cost.area_mm2);
  EXPECT_FALSE(cost.levels[0].buffer_bits);
  EXPECT_TRUE(to_json(cost).back()["area_mm2"].is_null());
  EXPECT_TRUE(to_json(cost).back()["buffer_bits"].is_null());
  EXPECT_NEAR(cost.peak_w, 179.35, 0.005);
}

TEST(SwitchCost, AddsUpInJson) {
  const auto rows = to_json(cost_of(ready("fred_d")));
  ASSERT_EQ(rows.size(), 3u);
  EXPECT_EQ(rows[2]["level"], "all");
  EXPECT_EQ(rows[2]["switches"], 9);
  EXPECT_EQ(rows[2]["alus"], 5 * 51 + 4 * 14);
  EXPECT_EQ(rows[2]["plain"], 5 * 18 + 4 * 8);
  EXPECT_EQ(rows[2]["buffer_bits"], (5 * 12 + 4 * 5) * 74 * 1024 * 8);
  EXPECT_NEAR(rows[2]["area_mm2"].get<double>(), 25195, 0.5);
}

TEST(Energy, IsCountsTimesCoefficients) {
  const Configuration configuration = ready("fred_d");
  Work work;
  work.switch_bytes = 1000;
  work.switch_adds[static_cast<std::size_t>(hw::DType::fp32)] = 10;
  work.npu_adds[static_cast<std::size_t>(hw::DType::fp16)] = 100;
  CostCoefficients k = cost_coefficients(configuration);
  k.switch_pj_per_bit = 2;
  k.add_pj = {3, 0, 5, 0};
  const auto json = to_json(run_cost(configuration, k, work), hw::Time::fs(10'000'000));
  ASSERT_EQ(json["energy"].size(), 3u);
  EXPECT_EQ(json["energy"][0]["what"], "switch_bits");
  EXPECT_EQ(json["energy"][0]["count"], 8000);
  EXPECT_DOUBLE_EQ(json["energy"][0]["joules"].get<double>(), 16000e-12);
  EXPECT_EQ(json["energy"][1]["what"], "switch_adds_fp32");
  EXPECT_EQ(json["energy"][2]["what"], "npu_adds_fp16");
  EXPECT_DOUBLE_EQ(json["energy_j"].get<double>(), (16000 + 50 + 300) * 1e-12);
  EXPECT_DOUBLE_EQ(json["mean_power_w"].get<double>(), 16350e-12 / 10e-9);
}

}  // namespace
}  // namespace fredsim::tb
