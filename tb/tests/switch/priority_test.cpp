// Which route set a switch serves. Times are worked out by hand as in firing_test: DP streams on ports 0 and
// 1 from 2.5 ns on, one packet a nanosecond; a change of the route set waits for the last tail and costs 0.5
// ns.
#include <gtest/gtest.h>

#include "tb/tests/switch/switch_bench.h"

namespace fredsim::test {
namespace {

using hw::FlowId;
using hw::Time;
using hw::VirtualChannel;
using Times = std::vector<Time>;

SwitchBench::Options preemption(bool on) {
  SwitchBench::Options o;
  o.adjust = [on](sw::SwitchConfig& config) { config.preemption = on; };
  return o;
}

Times every_ns(double first, int count) {
  Times times;
  for (int k = 0; k < count; ++k) times.push_back(ns(first + k));
  return times;
}
Times operator+(Times a, const Times& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

TEST(RouteSets, ChangeAfterTheLastTailHasLeftTheBuffers) {
  PlanBuilder plan(4, 3);
  const FlowId first = plan.flow(dp, all_reduce({0, 1})), second = plan.flow(dp, all_reduce({2, 3}));
  SwitchBench tb(plan);
  simulate([&] {
    tb.send_from({0, 1}, first);
    wait_until(ns(0.6));
    tb.send_from({2, 3}, second);
  });
  EXPECT_EQ(tb.fired(0, first), Times{ns(2 + 0.5)});
  EXPECT_EQ(tb.fired(2, second), Times{ns(2 + 0.5 + 1 + 0.5)});
  EXPECT_EQ(tb.fred->statistics().reconfigurations, 2u);
  EXPECT_EQ(tb.fred->statistics().reconfiguring, ns(1));
  EXPECT_EQ(tb.fred->statistics().other_route_set, ns(0.5 + (4.0 - 2.6)));
  EXPECT_EQ(tb.fred->statistics().preemptions, 0u);
}

TEST(RouteSets, FlowsOfOneSetDoNotWaitForEachOther) {
  PlanBuilder plan(4, 3);
  const auto set = plan.flows({{dp, all_reduce({0, 1})}, {mp, all_reduce({2, 3})}});
  SwitchBench tb(plan);
  simulate([&] {
    tb.send_from({0, 1}, set[0]);
    wait_until(ns(0.6));
    tb.send_from({2, 3}, set[1]);
  });
  EXPECT_EQ(tb.fired(0, set[0]), Times{ns(2.5)});
  EXPECT_EQ(tb.fired(2, set[1]), Times{ns(2.6)});
  EXPECT_EQ(tb.fred->statistics().reconfigurations, 1u);
}

TEST(RouteSets, ReconfigurationMayBeFree) {
  PlanBuilder plan(4, 3);
  const FlowId first = plan.flow(dp, all_reduce({0, 1})), second = plan.flow(dp, all_reduce({2, 3}));
  SwitchBench::Options o;
  o.adjust = [](sw::SwitchConfig& config) { config.reconfiguration = Time(); };
  SwitchBench tb(plan, o);
  simulate([&] { tb.send_from({0, 1}, first), tb.send_from({2, 3}, second); });
  EXPECT_EQ(tb.fired(0, first), Times{ns(2)});
  EXPECT_EQ(tb.fired(2, second), Times{ns(3)});
}

TEST(Priority, HigherClassPreemptsAndTheLowerOneResumes) {
  PlanBuilder plan(4, 3);
  const FlowId low = plan.flow(dp, all_reduce({0, 1})), high = plan.flow(mp, all_reduce({2, 3}));
  SwitchBench tb(plan, preemption(true));
  simulate([&] {
    tb.send_from({0, 1}, low, 10);
    wait_until(ns(3.2));
    tb.send_from({2, 3}, high, 3);  // heads arrive at 5.2, 6.2 and 7.2 ns
  });
  // At 5.5 ns the third DP packet has left.
  EXPECT_EQ(tb.fired(2, high), every_ns(6, 3));
  EXPECT_EQ(tb.fired(0, low), every_ns(2.5, 3) + every_ns(9.5, 7));
  EXPECT_EQ(tb.fred->statistics().preemptions, 1u);
  EXPECT_EQ(tb.fred->statistics().reconfigurations, 3u);
  for (std::uint64_t k = 0; k < 10; ++k) EXPECT_EQ(tb.receivers[1]->arrivals[k].header.sequence, k);
}

TEST(Priority, WithoutPreemptionTheLowerClassFinishes) {
  PlanBuilder plan(4, 3);
  const FlowId low = plan.flow(dp, all_reduce({0, 1})), high = plan.flow(mp, all_reduce({2, 3}));
  SwitchBench tb(plan, preemption(false));
  simulate([&] {
    tb.send_from({0, 1}, low, 10);
    wait_until(ns(3.2));
    tb.send_from({2, 3}, high, 3);
  });
  EXPECT_EQ(tb.fired(0, low), every_ns(2.5, 10));
  EXPECT_EQ(tb.fired(2, high), every_ns(13, 3));
  EXPECT_EQ(tb.fred->statistics().preemptions, 0u);
  EXPECT_EQ(tb.fred->statistics().reconfigurations, 2u);
}

TEST(Priority, HigherClassOnTheSamePortsOvertakes) {
  PlanBuilder plan(4, 3);
  const FlowId low = plan.flow(dp, all_reduce({0, 1})), high = plan.flow(mp, all_reduce({0, 1}));
  SwitchBench tb(plan, preemption(true));
  simulate([&] {
    tb.send_from({0, 1}, low, 10);
    wait_until(ns(3.2));
    tb.send_from({0, 1}, high, 2);  // depart at 4 and 5 ns, arrive at 6 and 7 ns
  });
  // DP: 2.5, 3.5, 4.5, 5.5; at 6.5 ns it is MP's turn. The set being served has its route: no
  // reconfiguration.
  EXPECT_EQ(tb.fired(1, high), every_ns(6.5, 2));
  EXPECT_EQ(tb.fired(1, low), every_ns(2.5, 4) + every_ns(8.5, 6));
}

TEST(Priority, PreemptingFlowNeedsAllItsOperands) {
  PlanBuilder plan(4, 3);
  const FlowId low = plan.flow(dp, all_reduce({0, 1})), high = plan.flow(mp, all_reduce({2, 3}));
  SwitchBench tb(plan, preemption(true));
  simulate([&] {
    tb.send_from({0, 1}, low, 10);
    tb.send(2, high);
    wait_until(ns(3.2));
    tb.send(3, high);
  });
  EXPECT_EQ(tb.fired(2, high), every_ns(6, 1));
  EXPECT_EQ(tb.fired(0, low), every_ns(2.5, 3) + every_ns(7.5, 7));
}

TEST(Priority, ClassesInTheirOrderWhateverTheirAge) {
  PlanBuilder plan(6, 3);
  const FlowId d = plan.flow(dp, all_reduce({0, 1})), p = plan.flow(pp, all_reduce({2, 3})),
               m = plan.flow(mp, all_reduce({4, 5}));
  SwitchBench tb(plan, preemption(true));
  simulate([&] {
    tb.send_from({0, 1}, d, 2);
    tb.send_from({2, 3}, p, 2);
    tb.send_from({4, 5}, m, 2);
  });
  EXPECT_EQ(tb.fired(4, m), every_ns(2.5, 2));
  EXPECT_EQ(tb.fired(2, p), every_ns(5, 2));
  EXPECT_EQ(tb.fired(0, d), every_ns(7.5, 2));
}

TEST(Priority, OldestFlowOfAClassFirst) {
  // While the switch serves a third flow, the younger of two becomes ready before the older one.
  PlanBuilder plan(6, 3);
  const FlowId older = plan.flow(dp, all_reduce({0, 1})), younger = plan.flow(dp, all_reduce({2, 3})),
               busy = plan.flow(mp, all_reduce({4, 5}));
  SwitchBench tb(plan);
  simulate([&] {
    tb.send_from({4, 5}, busy, 4);  // 2.5 to 6.5 ns
    wait_until(ns(1));
    tb.send_from({2, 3}, younger, 3);
    wait_until(ns(3));
    tb.send_from({0, 1}, older, 3);
  });
  EXPECT_EQ(tb.fired(0, older), every_ns(7, 3));
  EXPECT_EQ(tb.fired(2, younger), every_ns(10.5, 3));
}

TEST(Priority, UnicastsAreARouteSetOfTheirOwn) {
  PlanBuilder plan(4, 3);
  const FlowId reducing = plan.flow(dp, all_reduce({0, 1})), unicast = plan.unicast(mp, 2, 3);
  SwitchBench tb(plan, preemption(true));
  simulate([&] {
    tb.send_from({0, 1}, reducing, 6);
    wait_until(ns(3.2));
    tb.send(2, unicast, 2);
  });
  EXPECT_EQ(tb.fired(3, unicast), every_ns(6, 2));
  EXPECT_EQ(tb.fired(0, reducing), every_ns(2.5, 3) + every_ns(8.5, 3));
}

/// A user's own: the youngest flow first.
class Youngest : public sw::Arbiter {
 public:
  std::size_t choose(const std::vector<sw::Candidate>& candidates, std::uint32_t) override {
    std::size_t best = 0;
    for (std::size_t i = 1; i < candidates.size(); ++i) {
      if (candidates[best].flow < candidates[i].flow) best = i;
    }
    return best;
  }
};

TEST(Priority, UsersOwnArbiterDecides) {
  PlanBuilder plan(6, 3);
  const FlowId a = plan.flow(mp, all_reduce({0, 1})), b = plan.flow(pp, all_reduce({2, 3})),
               c = plan.flow(dp, all_reduce({4, 5}));
  SwitchBench::Options o;
  o.parts.arbiter = [] { return std::make_unique<Youngest>(); };
  SwitchBench tb(plan, o);
  simulate([&] {
    tb.send_from({4, 5}, c, 2);
    tb.send_from({2, 3}, b, 2);
    tb.send_from({0, 1}, a, 2);
  });
  EXPECT_EQ(tb.fired(4, c), every_ns(2.5, 2));
  EXPECT_EQ(tb.fired(2, b), every_ns(5, 2));
  EXPECT_EQ(tb.fired(0, a), every_ns(7.5, 2));
}

}  // namespace
}  // namespace fredsim::test
