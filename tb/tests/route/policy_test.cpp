#include "switch/route/policy.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "tb/tests/route/oracle.h"

namespace fredsim::sw {
namespace {

using test::all_reduce;
using test::flow;
using Pair = std::pair<hw::PortId, hw::PortId>;

const std::vector<PortFlow> triangle = {all_reduce({0, 2}), all_reduce({1, 5}), all_reduce({3, 4}),
                                        all_reduce({6, 7})};

std::vector<PortFlow> chosen(const std::vector<PortFlow>& flows, const std::vector<std::uint32_t>& indices) {
  std::vector<PortFlow> result;
  for (const std::uint32_t i : indices) result.push_back(flows[i]);
  return result;
}

Pair unicast(std::uint32_t from, std::uint32_t to) {
  return {hw::PortId(from), hw::PortId(to)};
}

TEST(Policy, FirstFitTurns) {
  const auto found = turns(Structure(8, 2), triangle);
  ASSERT_EQ(found.size(), 2u);
  EXPECT_EQ(found[0].flows, (std::vector<std::uint32_t>{0, 1, 3}));
  EXPECT_EQ(found[1].flows, (std::vector<std::uint32_t>{2}));
  EXPECT_EQ(turns(Structure(8, 3), triangle).size(), 1u);
  EXPECT_TRUE(turns(Structure(8, 3), {}).empty());
}

TEST(Policy, EveryFlowHasItsTurnAndEveryTurnRoutes) {
  std::mt19937 random(13);
  for (int round = 0; round < 100; ++round) {
    const auto ports = static_cast<std::uint32_t>(2 + random() % 19);
    const Structure structure(ports, 2);
    const std::vector<PortFlow> flows = test::random_flows(random, ports, "mix", 1.0);
    std::vector<std::uint32_t> all;
    std::vector<PortFlow> earlier;
    for (const RoutedGroup& turn : turns(structure, flows)) {
      EXPECT_EQ(test::replay(structure, chosen(flows, turn.flows), turn.routes), "");
      // First fit: the first flow of a turn has no place in the turn before.
      if (!earlier.empty()) {
        std::vector<PortFlow> together = earlier;
        together.push_back(flows[turn.flows.front()]);
        EXPECT_FALSE(test::routable(structure, together)) << test::to_string(flows);
      }
      earlier.clear();
      for (const std::uint32_t f : turn.flows) {
        all.push_back(f);
        if (f < turn.flows.front()) earlier.clear();
      }
    }
    std::sort(all.begin(), all.end());
    ASSERT_EQ(all.size(), flows.size());
    for (std::uint32_t i = 0; i < all.size(); ++i) EXPECT_EQ(all[i], i);
  }
}

TEST(Policy, LargestFlowsStayInTheNetwork) {
  // The last flow is the largest and takes part in a triangle with the first two.
  const std::vector<PortFlow> flows = {all_reduce({0, 2}), all_reduce({1, 5}), all_reduce({3, 4, 6})};
  const Decomposition found = decompose(Structure(8, 2), flows);
  EXPECT_EQ(found.kept.flows, (std::vector<std::uint32_t>{0, 2}));
  EXPECT_EQ(test::replay(Structure(8, 2), chosen(flows, found.kept.flows), found.kept.routes), "");
  ASSERT_EQ(found.decomposed.size(), 1u);
  EXPECT_EQ(found.decomposed[0].flow, 1u);
  EXPECT_EQ(found.decomposed[0].unicasts, (std::vector<Pair>{unicast(1, 5), unicast(5, 1)}));
}

TEST(Policy, RingGoesThroughAllPorts) {
  // Three of them pairwise in conflict on the output side: the smallest is decomposed.
  const std::vector<PortFlow> flows = {all_reduce({0, 2, 7}), all_reduce({1, 5, 8}), flow({3}, {3, 4, 9})};
  const Decomposition found = decompose(Structure(10, 2), flows);
  ASSERT_EQ(found.decomposed.size(), 1u);
  EXPECT_EQ(found.decomposed[0].unicasts, (std::vector<Pair>{unicast(3, 4), unicast(4, 9), unicast(9, 3)}));
}

TEST(Policy, NothingIsDecomposedWithoutNeed) {
  const Decomposition found = decompose(Structure(8, 3), triangle);
  EXPECT_EQ(found.kept.flows.size(), 4u);
  EXPECT_TRUE(found.decomposed.empty());
}

}  // namespace
}  // namespace fredsim::sw
