// Where the workers of a strategy sit.
#include "accel/placement/placement.h"

#include <gtest/gtest.h>

#include <set>

#include "tb/plan/placement_cost.h"

namespace fredsim::tb {
namespace {

using accel::Placement;
using accel::Strategy;

PlanOptions mesh(std::uint32_t columns, std::uint32_t rows) {
  PlanOptions options;
  options.mesh = MeshOptions{sw::Mesh(columns, rows), hw::Bandwidth()};
  return options;
}

PlanOptions fives_of_four() {
  PlanOptions options;
  options.tree.leaf_npus = 4;
  options.tree.upper = {{5, 4}};
  return options;
}

TEST(Placement, OrdersPutTheFirstDimensionOnNeighbours) {
  const Strategy strategy{2, 3, 2};
  EXPECT_EQ(accel::place_in_order(strategy, "mp-pp-dp"), (Placement{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11}));
  // Worker (m, p, d) is on NPU d + 2 (m + 2 p).
  EXPECT_EQ(accel::place_in_order(strategy, "dp-mp-pp"), (Placement{0, 2, 4, 6, 8, 10, 1, 3, 5, 7, 9, 11}));
  for (const std::string& order : accel::placement_orders()) {
    const Placement placement = accel::place_in_order(strategy, order);
    EXPECT_EQ(std::set<std::uint32_t>(placement.begin(), placement.end()).size(), 12u) << order;
  }
}

// MP(2)-PP(2)-DP(5) on the wafer's mesh: a column of five has rings of its own, a row holds MP and PP.
TEST(Placement, GroupsAreThoseOfTheStrategy) {
  const auto groups = accel::groups_of({2, 2, 5}, accel::place_in_order({2, 2, 5}, "mp-pp-dp"));
  ASSERT_EQ(groups[0].size(), 10u);
  EXPECT_EQ(groups[0][1], (std::vector<std::uint32_t>{2, 3}));
  ASSERT_EQ(groups[1].size(), 10u);
  EXPECT_EQ(groups[1][1], (std::vector<std::uint32_t>{1, 3}));
  ASSERT_EQ(groups[2].size(), 4u);
  EXPECT_EQ(groups[2][3], (std::vector<std::uint32_t>{3, 7, 11, 15, 19}));
}

// A ring down a column of a mesh uses each of its links once in each direction: 2 (N - 1) / N.
TEST(Placement, CostIsTheWorstLink) {
  const Placement order = accel::place_in_order({4, 1, 5}, "mp-pp-dp");
  EXPECT_NEAR(placement_cost(mesh(4, 5), {4, 1, 5}, order, {0, 0, 1}), 1.6, 0.02);
  EXPECT_NEAR(placement_cost(mesh(4, 5), {4, 1, 5}, order, {1, 0, 0}), 1.5, 0.02);
  // On the wafer four DP groups of five go up from each leaf.
  EXPECT_NEAR(placement_cost(fives_of_four(), {4, 1, 5}, order, {0, 0, 1}), 4, 0.01);
  EXPECT_EQ(placement_cost(fives_of_four(), {4, 1, 5}, order, {1, 0, 0}), 0);
}

TEST(Placement, SearchIsNoWorseThanAnyOrderAndTheSameEveryTime) {
  const Strategy strategy{3, 2, 3};
  for (const PlanOptions& system : {mesh(4, 5), fives_of_four()}) {
    const auto cost = [&](const Placement& placement) {
      return placement_cost(system, strategy, placement, {4, 1, 2});
    };
    const Placement found = accel::search_placement(strategy, 20, cost, 1, 1);
    EXPECT_EQ(std::set<std::uint32_t>(found.begin(), found.end()).size(), 18u);
    for (const std::string& order : accel::placement_orders())
      EXPECT_LE(cost(found), cost(accel::place_in_order(strategy, order)) + 1e-9) << order;
    EXPECT_EQ(found, accel::search_placement(strategy, 20, cost, 1, 1));
  }
}

}  // namespace
}  // namespace fredsim::tb
