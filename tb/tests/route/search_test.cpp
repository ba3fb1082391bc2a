#include "switch/route/search.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <numeric>
#include <tuple>

#include "hw/core/error.h"
#include "tb/tests/route/checks.h"
#include "tb/tests/route/oracle.h"

namespace fredsim::sw {
namespace {

using test::all_reduce;
using test::flow;
using test::Ports;

// Every way of choosing disjoint groups of two and more: port p joins a group begun before, begins one, or
// stays out.
void for_all_groups(std::uint32_t ports, std::vector<Ports>& groups, std::uint32_t next,
                    const std::function<void(const std::vector<PortFlow>&)>& visit) {
  if (next == ports) {
    std::vector<PortFlow> flows;
    for (const Ports& group : groups) {
      if (group.size() > 1) flows.push_back(all_reduce(group));
    }
    visit(flows);
    return;
  }
  for (std::size_t i = 0; i <= groups.size(); ++i) {
    if (i == groups.size()) groups.emplace_back();
    groups[i].insert(next);
    for_all_groups(ports, groups, next + 1, visit);
    groups[i].erase(next);
    if (groups[i].empty()) {
      groups.pop_back();
      return;
    }
  }
}

TEST(Search, EverySetOfAllReduceGroupsToEightPorts) {
  std::size_t sets = 0;
  for (std::uint32_t ports = 2; ports <= 8; ++ports) {
    for (std::uint32_t middle = 2; middle <= 3; ++middle) {
      const Structure structure(ports, middle);
      std::vector<Ports> groups;
      for_all_groups(ports, groups, 0, [&](const std::vector<PortFlow>& flows) {
        test::check_search(structure, flows);
        ++sets;
      });
      if (HasFatalFailure()) return;
    }
  }
  EXPECT_EQ(sets, 2u * (2 + 5 + 15 + 52 + 203 + 877 + 4140));  // Bell numbers
}

TEST(Search, EveryPermutationOfUnicastsToSevenPortsWithTwoMiddleSwitches) {
  for (std::uint32_t ports = 2; ports <= 7; ++ports) {
    const Structure structure(ports, 2);
    std::vector<std::uint32_t> to(ports);
    std::iota(to.begin(), to.end(), 0u);
    do {
      std::vector<PortFlow> flows;
      for (std::uint32_t p = 0; p < ports; ++p) flows.push_back(flow({p}, {to[p]}));
      const RoutingAnswer answer = route(structure, flows);
      ASSERT_TRUE(answer.routed()) << test::to_string(flows);
      ASSERT_EQ(test::replay(structure, flows, answer.routes), "") << test::to_string(flows);
    } while (std::next_permutation(to.begin(), to.end()));
  }
}

TEST(Search, RandomFlowsToTwentyPorts) {
  test::check_random_sets(1, 1000);
}

// A coloring that is right at the outermost level can make the next one impossible: a search that does not
// come back calls flows a conflict that are none.
TEST(Search, GoesBackAcrossLevels) {
  std::mt19937 random(7);
  for (const auto& [ports, kind, fill] : std::vector<std::tuple<std::uint32_t, std::string, double>>{
           {12, "mix", 1.0}, {16, "all_reduce", 1.0}, {20, "mix", 0.8}, {20, "multicast", 0.8}}) {
    const Structure structure(ports, 2);
    int traps = 0;
    int deep_conflicts = 0;
    for (int round = 0; round < 1000; ++round) {
      const std::vector<PortFlow> flows = test::random_flows(random, ports, kind, fill);
      const bool routable = test::routable(structure, flows);
      traps += routable && !test::routable_at_first_try(structure, flows);
      deep_conflicts += !routable && test::routable(ports, 2, flows, 1);
      test::check_search(structure, flows);
      if (HasFatalFailure()) return;
    }
    EXPECT_GT(traps, 0) << ports << " " << kind;
    EXPECT_GT(deep_conflicts, 0) << ports << " " << kind;
  }
}

// FRED sec. 5.2: three flows in a triangle, which two colors cannot color.
TEST(Search, TriangleOfThePaper) {
  const std::vector<PortFlow> flows = {all_reduce({0, 2}), all_reduce({1, 5}), all_reduce({3, 4}),
                                       all_reduce({6, 7})};
  const RoutingAnswer answer = route(Structure(8, 2), flows);
  ASSERT_EQ(answer.outcome, RoutingAnswer::Outcome::conflict);
  ASSERT_TRUE(answer.conflict);
  EXPECT_EQ(answer.conflict->flows, (std::vector<std::uint32_t>{0, 1, 2}));
  EXPECT_EQ(answer.conflict->level, 0u);
  EXPECT_EQ(answer.conflict->smallest_middle, 3u);
  EXPECT_EQ(answer.conflict->swap, std::make_pair(hw::PortId(1), hw::PortId(4)));
  EXPECT_TRUE(route(Structure(8, 3), flows).routed());
}

TEST(Search, NoFlowsAndSmallestSwitch) {
  EXPECT_TRUE(route(Structure(8, 2), {}).routed());
  const Structure rd(2, 2);
  for (const auto& flows : std::vector<std::vector<PortFlow>>{{all_reduce({0, 1})},
                                                              {flow({0}, {1}), flow({1}, {0})},
                                                              {flow({0, 1}, {1})},
                                                              {flow({1}, {0, 1})}}) {
    const RoutingAnswer answer = route(rd, flows);
    ASSERT_TRUE(answer.routed());
    EXPECT_EQ(test::replay(rd, flows, answer.routes), "");
  }
}

TEST(Search, TheSameQuestionHasTheSameAnswer) {
  std::mt19937 random(11);
  for (int round = 0; round < 20; ++round) {
    const std::vector<PortFlow> flows = test::random_flows(random, 32, "mix", 0.8);
    const RoutingAnswer a = route(Structure(32, 3), flows);
    const RoutingAnswer b = route(Structure(32, 3), flows);
    EXPECT_EQ(a.steps, b.steps);
    ASSERT_EQ(a.routes.size(), b.routes.size());
    for (std::size_t i = 0; i < a.routes.size(); ++i) EXPECT_EQ(a.routes[i].colors, b.routes[i].colors);
  }
}

TEST(Search, SaysWhenItIsGivenUp) {
  std::vector<PortFlow> flows;
  for (std::uint32_t p = 0; p < 64; ++p) flows.push_back(flow({p}, {(p * 37 + 5) % 64}));
  SearchLimits limits;
  limits.steps = 20;
  const RoutingAnswer answer = route(Structure(64, 2), flows, limits);
  EXPECT_EQ(answer.outcome, RoutingAnswer::Outcome::given_up);
  EXPECT_EQ(answer.steps, 20u);
  EXPECT_TRUE(answer.routes.empty());
  EXPECT_FALSE(answer.conflict);
}

// Permutations that are hard for networks of this kind, and random ones: m = 2 is rearrangeably non-blocking,
// so none needs a step back (one step a flow and level, and one a middle switch).
TEST(SearchLarge, PermutationsOf64Ports) {
  const auto reversed = [](std::uint32_t p) {
    std::uint32_t r = 0;
    for (int b = 0; b < 6; ++b) r |= (p >> b & 1) << (5 - b);
    return r;
  };
  std::vector<std::function<std::uint32_t(std::uint32_t)>> permutations = {
      reversed,
      [](std::uint32_t p) { return p / 8 + p % 8 * 8; },
      [](std::uint32_t p) { return p * 2 % 64 + p / 32; },
      [](std::uint32_t p) { return 63 - p; },
      [](std::uint32_t p) { return p ^ 32; },
  };
  for (std::uint32_t odd = 1; odd < 64; odd += 2) {
    permutations.emplace_back([odd](std::uint32_t p) { return (p * odd + odd / 2) % 64; });
  }
  for (const auto& permutation : permutations) {
    std::vector<PortFlow> flows;
    for (std::uint32_t p = 0; p < 64; ++p) flows.push_back(flow({p}, {permutation(p)}));
    for (std::uint32_t middle = 2; middle <= 4; ++middle) {
      const Structure structure(64, middle);
      const RoutingAnswer answer = route(structure, flows);
      ASSERT_TRUE(answer.routed());
      EXPECT_LE(answer.steps, 64u * 5 + 31);
      EXPECT_EQ(test::replay(structure, flows, answer.routes), "");
    }
  }
}

TEST(SearchLarge, RandomFlowsAreAnsweredAndRoutesWork) {
  std::mt19937 random(3);
  std::uint64_t most = 0;
  for (const std::uint32_t ports : {64u, 63u, 48u, 40u, 33u}) {
    for (std::uint32_t middle = 2; middle <= 4; ++middle) {
      for (const std::string& kind : test::kinds()) {
        for (const double fill : {0.5, 0.75, 1.0}) {
          const std::vector<PortFlow> flows = test::random_flows(random, ports, kind, fill);
          const Structure structure(ports, middle);
          const RoutingAnswer answer = route(structure, flows, test::only_routing());
          EXPECT_NE(answer.outcome, RoutingAnswer::Outcome::given_up) << test::to_string(flows);
          most = std::max(most, answer.steps);
          if (answer.routed()) {
            ASSERT_EQ(test::replay(structure, flows, answer.routes), "");
          }
        }
      }
    }
  }
  EXPECT_LE(most, 5000u);
}

// The sets that cost the most steps of those met in hill climbing over sets of 64 ports: each is far from the
// limit.
TEST(SearchLarge, HardestSetsKnown) {
  const std::vector<std::pair<std::uint32_t, std::string>> cases = {
      {2,
       "61>6,18,59,60 14,34>52 42>1,23 17,19,63>14,62 11,22,23,28,41,48>21,28,29 47>46,54 "
       "1,4,5,25>11,40,42 2,40>9 12,13,32>25,50 45>15,39 9,52>31,34 21,30,36,37,50>26 46>12,47 "
       "7,55>2,32,33 38,39>5,16 56,59>0,22,48 "},
      {2,
       "0,38>43 16>6 24,37>1,24 30,36>25,26 17,19,34>37 3,22,61>41 44,59>5 33>13 21>53 25>0 "
       "46,50>7,59 9,40,53>9 48>2,35 55>31 58>30,50 28>12 60>32 12,14>18 42>21,38 52>17 27,45>56 "
       "29,56>49 54>4 15>28 62>29,36 7>14,45 1>11,23,47,60 20>15,54,55 5>46,61 "},
      {3,
       "60>18,38,62 8,19,51>0,20,22,45 18,62>10,55 15,47>4,6 12,24,54>40 0,36,53,58>30 "
       "16,44,48>31,32 56>53 55>27,54 22,31,38>19,49 17,40>7,8,35 9,29,34>1,37 30>57 "
       "32>12,14,17,47 7>16,28 11,13,35>13,58 4,21,39>34,52,56 63>23 59>42 2,46,57>2,43,63 "
       "52>29,48 49,61>11,33 3,43>5,9 23>25,44 33>21 26,50>60 6,10,20>51,59 1,14,27,42>26 "
       "5>36,39 37,45>3 25,28>15,24 "},
      {4,
       "52,63>39,42,47,49 17,19,31>6,11,41 37,40,48>9,30 4,7,29,36,54,58>21 "
       "15,53,60>4,8,34,36,38 5,27,55>1,13,16,17,57 46>32,37,43 0,10,45>0,24,27,55,59,63 "
       "2,12,32,42,44,56,57>3,26,56,60 30,35,38,59>53 24,26>23,44,58,61 3,34>14,62 16>5,33,52 "
       "8,9,14,23,50>15,48 13,25,43>12,40,54 11,21,33,49,51>2,18 6,18,28>19,31,45,50,51 "
       "39>20,35,46 41,47,62>7,28 "}};
  for (const auto& [middle, text] : cases) {
    const RoutingAnswer answer = route(Structure(64, middle), test::flows_of(text));
    ASSERT_EQ(answer.outcome, RoutingAnswer::Outcome::conflict) << text;
    EXPECT_LE(answer.steps, SearchLimits().steps / 4) << text;
    EXPECT_TRUE(answer.conflict->flows_complete && answer.conflict->level_complete &&
                answer.conflict->middle_complete && answer.conflict->swap_complete)
        << text;
    EXPECT_EQ(answer.conflict->smallest_middle, middle + 1) << text;
  }
}

// FRED sec. 5.3: MP peers on consecutive ports, then PP, then DP; the groups of one dimension at once.
void placements(std::uint32_t middle, std::size_t& sets, std::size_t& conflicts) {
  for (std::uint32_t ports = 2; ports <= 20; ++ports) {
    const Structure structure(ports, middle);
    for (std::uint32_t mp = 1; mp <= ports; ++mp) {
      for (std::uint32_t pp = 1; mp * pp <= ports; ++pp) {
        for (std::uint32_t dp = 1; mp * pp * dp <= ports; ++dp) {
          const std::uint32_t sizes[] = {mp, pp, dp};
          const std::uint32_t strides[] = {1, mp, mp * pp};
          for (int dimension = 0; dimension < 3; ++dimension) {
            if (sizes[dimension] == 1) continue;
            std::vector<PortFlow> flows;
            for (std::uint32_t first = 0; first < mp * pp * dp; ++first) {
              if (first / strides[dimension] % sizes[dimension] != 0) continue;
              Ports group;
              for (std::uint32_t i = 0; i < sizes[dimension]; ++i)
                group.insert(first + i * strides[dimension]);
              flows.push_back(all_reduce(group));
            }
            ++sets;
            test::check_search(structure, flows);
            if (testing::Test::HasFatalFailure()) return;
            if (!route(structure, flows, test::only_routing()).routed()) ++conflicts;
          }
        }
      }
    }
  }
}

TEST(Search, PlacementForThreeDimensionalParallelism) {
  std::size_t sets = 0;
  std::size_t conflicts = 0;
  placements(3, sets, conflicts);
  EXPECT_EQ(sets, 1971u);
  EXPECT_EQ(conflicts, 0u);
  sets = conflicts = 0;
  placements(2, sets, conflicts);
  EXPECT_EQ(sets, 1971u);
  EXPECT_EQ(conflicts, 303u);
  EXPECT_FALSE(route(Structure(6, 2), {all_reduce({0, 3}), all_reduce({1, 4}), all_reduce({2, 5})}).routed());
}

TEST(Search, FlowsThatCannotBeAreRefused) {
  const Structure structure(8, 3);
  const auto message = [&](const std::vector<PortFlow>& flows) -> std::string {
    try {
      route(structure, flows);
    } catch (const hw::InputError& error) {
      return error.what();
    }
    return "accepted";
  };
  EXPECT_EQ(message({flow({0}, {1}), flow({}, {1})}), "flow 1 (>1): no input ports; at least one is needed");
  EXPECT_EQ(message({flow({0}, {})}), "flow 0 (0>): no output ports; at least one is needed");
  EXPECT_EQ(message({flow({8}, {1})}),
            "flow 0 (8>1): input port 8 does not exist; FRED_3(8) has ports 0 to 7");
  EXPECT_EQ(message({flow({0}, {99})}),
            "flow 0 (0>99): output port 99 does not exist; FRED_3(8) has ports 0 to 7");
  EXPECT_EQ(message({PortFlow{{hw::PortId(2), hw::PortId(2)}, {hw::PortId(1)}}}),
            "flow 0 (2,2>1): input port 2 is given twice");
  EXPECT_EQ(
      message({flow({0, 1}, {1}), flow({1}, {2})}),
      "flow 1 (1>2): port 1 is an input of flow 0 (0,1>1) already; a port can be an input of one flow only");
  EXPECT_EQ(message({flow({0, 1}, {1}), flow({2}, {1})}),
            "flow 1 (2>1): port 1 is an output of flow 0 (0,1>1) already; a port can be an output of one "
            "flow only");
  EXPECT_EQ(message({flow({0}, {1}), flow({1}, {0})}), "accepted");
}

}  // namespace
}  // namespace fredsim::sw
