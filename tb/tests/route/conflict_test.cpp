#include <gtest/gtest.h>

#include <algorithm>
#include <array>

#include "switch/route/search.h"
#include "tb/tests/route/checks.h"
#include "tb/tests/route/oracle.h"

namespace fredsim::sw {
namespace {

using test::all_reduce;

TEST(Conflict, EveryClaimHolds) {
  test::check_random_conflicts(5, 300);
}

// Nine flows that all meet each other need nine middle switches. They make 36 pairs: 32 meet in an input (and
// output) micro-switch each, and the missing four in output micro-switches only, in place of pairs that still
// meet at the input.
TEST(Conflict, NoMiddleUpToEight) {
  std::vector<test::Ports> groups(9);
  std::uint32_t pair = 0;
  for (std::size_t a = 0; a < 8; ++a) {
    for (std::size_t b = a + 1; b < 9 && pair < 32; ++b, ++pair) {
      groups[a].insert(2 * pair);
      groups[b].insert(2 * pair + 1);
    }
  }
  std::vector<PortFlow> flows;
  for (std::size_t i = 0; i < 9; ++i) flows.push_back(all_reduce(groups[i]));
  for (const auto& [a, b, port] :
       std::vector<std::array<std::uint32_t, 3>>{{5, 8, 0}, {6, 7, 2}, {6, 8, 4}, {7, 8, 6}}) {
    for (PortFlow& f : flows) {
      f.outputs.erase(std::remove_if(f.outputs.begin(), f.outputs.end(),
                                     [port = port](hw::PortId p) { return p.value / 2 == port / 2; }),
                      f.outputs.end());
    }
    flows[a].outputs.emplace_back(port);
    flows[b].outputs.emplace_back(port + 1);
    std::sort(flows[a].outputs.begin(), flows[a].outputs.end());
    std::sort(flows[b].outputs.begin(), flows[b].outputs.end());
  }
  const RoutingAnswer answer = route(Structure(64, 4), flows);
  ASSERT_TRUE(answer.conflict);
  EXPECT_EQ(answer.conflict->flows.size(), 5u);
  EXPECT_EQ(answer.conflict->level, 0u);
  EXPECT_FALSE(answer.conflict->smallest_middle);
  EXPECT_TRUE(answer.conflict->middle_complete);
}

TEST(Conflict, LargeSwitchIsExplainedWithinTheLimits) {
  std::mt19937 random(9);
  for (const std::string kind : {"all_reduce", "mix", "reduce"}) {
    const std::vector<PortFlow> flows = test::random_flows(random, 64, kind, 1.0);
    const RoutingAnswer answer = route(Structure(64, 2), flows);
    ASSERT_TRUE(answer.conflict) << kind;
    EXPECT_TRUE(answer.conflict->flows_complete && answer.conflict->level_complete &&
                answer.conflict->middle_complete && answer.conflict->swap_complete)
        << kind;
  }
}

// Three triangles: an exchange of two ports undoes two of them at most.
TEST(Conflict, APlacementHelpsWhereNoExchangeDoes) {
  const std::vector<PortFlow> flows = {all_reduce({0, 2}),   all_reduce({1, 4}),   all_reduce({3, 5}),
                                       all_reduce({6, 8}),   all_reduce({7, 10}),  all_reduce({9, 11}),
                                       all_reduce({12, 14}), all_reduce({13, 16}), all_reduce({15, 17})};
  const Structure structure(18, 2);
  const RoutingAnswer answer = route(structure, flows);
  ASSERT_TRUE(answer.conflict);
  EXPECT_FALSE(answer.conflict->swap);
  ASSERT_EQ(answer.conflict->placement.size(), 18u);
  std::vector<hw::PortId> places = answer.conflict->placement;
  std::sort(places.begin(), places.end());
  for (std::uint32_t p = 0; p < 18; ++p) EXPECT_EQ(places[p].value, p);
  EXPECT_TRUE(route(structure, place_ports(flows, answer.conflict->placement)).routed());
}

TEST(Conflict, ExplanationCanBeLeftOut) {
  SearchLimits limits;
  limits.explain = false;
  const RoutingAnswer answer =
      route(Structure(6, 2), {all_reduce({0, 3}), all_reduce({1, 4}), all_reduce({2, 5})}, limits);
  EXPECT_EQ(answer.outcome, RoutingAnswer::Outcome::conflict);
  EXPECT_FALSE(answer.conflict);
}

}  // namespace
}  // namespace fredsim::sw
