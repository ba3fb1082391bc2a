// When flows fire: operands, room at the outputs, slow ports, paths of unicasts. Times are worked out by
// hand: a packet takes 1 ns, a link's latency 2 ns, a hop 0.1 ns (three of them in FRED(4)), a
// reconfiguration 0.5 ns.
#include <gtest/gtest.h>

#include "tb/tests/switch/switch_bench.h"

namespace fredsim::test {
namespace {

using hw::FlowId;
using hw::Time;
using hw::VirtualChannel;
using Times = std::vector<Time>;

class Firing : public testing::TestWithParam<SwitchBench::Abstraction> {
 protected:
  SwitchBench::Options options() const {
    SwitchBench::Options o;
    o.abstraction = GetParam();
    return o;
  }
};

TEST_P(Firing, UnicastCrossesAsItComes) {
  PlanBuilder plan(4, 3);
  const FlowId flow = plan.unicast(dp, 0, 3);
  SwitchBench tb(plan, options());
  simulate([&] {
    wait_until(ns(10));
    tb.send(0, flow, 3);
  });
  const auto& arrivals = tb.receivers[3]->arrivals;
  ASSERT_EQ(arrivals.size(), 3u);
  for (std::size_t k = 0; k < 3; ++k)
    EXPECT_EQ(arrivals[k].head, ns(10 + 2 + 3 * 0.1 + 2 + static_cast<double>(k)));
  EXPECT_EQ(tb.fred->statistics().reconfigurations, 0u);
  EXPECT_EQ(tb.bench.flows[flow].queued, ns(1 + 2));  // at the sender only, for the link
}

TEST_P(Firing, ReductionWaitsForItsLastOperand) {
  PlanBuilder plan(4, 3);
  const FlowId flow = plan.flow(dp, all_reduce({0, 1, 3}));
  SwitchBench tb(plan, options());
  simulate([&] {
    tb.send_from({0, 1}, flow);
    wait_until(ns(7));
    EXPECT_TRUE(tb.receivers[0]->arrivals.empty());
    const auto missing = tb.fred->missing_partners();
    ASSERT_EQ(missing.size(), 1u);
    EXPECT_EQ(missing[0].flow, flow);
    EXPECT_EQ(missing[0].missing, ports({3}));
    tb.send(3, flow);
  });
  for (const std::uint32_t port : {0u, 1u, 3u})
    EXPECT_EQ(tb.fired(port, flow), Times{ns(7 + 2 + 0.5)}) << port;
  EXPECT_TRUE(tb.receivers[2]->arrivals.empty());
  EXPECT_EQ(tb.fred->statistics().partner_missing, ns(7));
  EXPECT_TRUE(tb.fred->missing_partners().empty());
  EXPECT_EQ(tb.bench.flows[flow].queued, ns(2 * 7.5 + 0.5));
}

TEST_P(Firing, StreamsWithoutGaps) {
  PlanBuilder plan(4, 3);
  const FlowId flow = plan.flow(dp, all_reduce({0, 1, 2, 3}));
  SwitchBench tb(plan, options());
  simulate([&] { tb.send_from({0, 1, 2, 3}, flow, 50); });
  const Times fired = tb.fired(2, flow);
  ASSERT_EQ(fired.size(), 50u);
  for (std::size_t k = 0; k < 50; ++k) EXPECT_EQ(fired[k], ns(2.5 + static_cast<double>(k)));
  EXPECT_EQ(tb.fred->statistics().reconfigurations, 1u);
}

TEST_P(Firing, FlowWithoutItsPartnersHoldsNobody) {
  // The older flow lacks an operand for ever, once in the route set of the other and once in one of its own.
  PlanBuilder plan(6, 3);
  const FlowId hopeless = plan.flow(dp, all_reduce({4, 5}));
  const std::vector<FlowId> set = plan.flows({{dp, all_reduce({0, 1})}, {dp, all_reduce({2, 3})}});
  SwitchBench tb(plan, options());
  simulate([&] {
    tb.send(4, hopeless);
    tb.send(0, set[0]);
    tb.send_from({2, 3}, set[1], 5);
  });
  EXPECT_EQ(tb.fired(2, set[1]), (Times{ns(2.5), ns(3.5), ns(4.5), ns(5.5), ns(6.5)}));
  EXPECT_TRUE(tb.receivers[0]->arrivals.empty());
  EXPECT_EQ(tb.fred->missing_partners().size(), 2u);
}

TEST_P(Firing, WaitsForStagingAtEveryOutput) {
  // Output 2's receiver has room for one packet and keeps it; three more stand in staging, and the fifth
  // waits in the input buffer, for output 1 too.
  PlanBuilder plan(4, 3);
  const FlowId flow = plan.flow(dp, {ports({0}), ports({1, 2})});
  SwitchBench::Options o = options();
  o.adjust = [](sw::SwitchConfig& config) { config.ports[2].receiver = packets_of_room(1); };
  SwitchBench tb(plan, o);
  tb.receivers[2]->credits = false;
  tb.receivers[2]->keep = true;
  simulate([&] {
    tb.send(0, flow, 6);
    wait_until(ns(40));
    EXPECT_EQ(tb.receivers[1]->arrivals.size(), 4u);
    EXPECT_EQ(tb.receivers[2]->arrivals.size(), 1u);
    EXPECT_EQ(tb.fred->input(hw::PortId(0)).buffer(dp).packets(), 2u);
    // The credit is home at 42 ns, packet 1 departs then, and the room behind it is free when its tail has
    // left.
    tb.receivers[2]->in.credit(*tb.receivers[2]->arrivals[0].packet, ns(40));
    wait_until(ns(60));
    EXPECT_EQ(tb.receivers[1]->arrivals.size(), 5u);
    EXPECT_EQ(tb.receivers[2]->arrivals.size(), 2u);
  });
  EXPECT_EQ(tb.fired(1, flow)[4], ns(42 + 1));
  EXPECT_EQ(tb.fired(1, flow)[3], ns(2.5 + 3));
  // The sixth, ready at 44 ns, waits still.
  EXPECT_EQ(tb.fred->statistics(ns(60)).no_staging, ns(43 - 6.5 + 60 - 44));
}

TEST_P(Firing, OneClassWithoutRoomLeavesTheOthersAlone) {
  PlanBuilder plan(4, 3);
  const FlowId blocked = plan.unicast(mp, 0, 2);
  const FlowId open = plan.unicast(dp, 0, 2);
  SwitchBench tb(plan, [&] {
    SwitchBench::Options o = options();
    o.adjust = [](sw::SwitchConfig& config) {
      config.ports[2].receiver[hw::index(mp)] = hw::Capacity::bytes(4096);
    };
    return o;
  }());
  tb.receivers[2]->hold = [](const hw::PacketHeader& h) { return h.vc == mp ? ns(1000) : Time(); };
  simulate([&] {
    tb.send(0, blocked, 6);
    tb.send(0, open, 20);
    wait_until(ns(100));
    EXPECT_EQ(tb.fired(2, blocked).size(), 1u);
    EXPECT_EQ(tb.fired(2, open).size(), 20u);
  });
  EXPECT_EQ(tb.fired(2, blocked).size(), 6u);
}

TEST_P(Firing, SlowInputPortDoesNotHoldTheInterconnect) {
  // Port 0's packets take 8 ns to come in. They start only when they can pass in one go, 7 ns after their
  // heads, so the flow of the other route set has the switch meanwhile.
  PlanBuilder plan(4, 3);
  const FlowId slow = plan.flow(mp, {ports({0}), ports({1})});
  const FlowId fast = plan.flow(dp, {ports({2}), ports({3})});
  SwitchBench::Options o = options();
  o.adjust = [](sw::SwitchConfig& config) {
    config.ports[0].in_bandwidth = hw::Bandwidth::bytes_per_second(512'000'000'000);
  };
  SwitchBench tb(plan, o);
  simulate([&] {
    tb.send(0, slow);
    tb.send(2, fast, 20);
  });
  // Fast ones from 2.5 ns on, each nanosecond; the slow one is due at 2 + 7 ns, in the middle of one that
  // ends at 9.5 ns, and has the switch at 10 ns; then the others go on at 11.5 ns.
  EXPECT_EQ(tb.fired(1, slow), Times{ns(10)});
  const Times fired = tb.fired(3, fast);
  ASSERT_EQ(fired.size(), 20u);
  for (std::size_t k = 0; k < 20; ++k)
    EXPECT_EQ(fired[k], ns((k < 7 ? 2.5 : 2.5 + 2) + static_cast<double>(k))) << k;
}

TEST_P(Firing, UnicastToABusyOutputTakesTurns) {
  PlanBuilder plan(4, 3);
  const FlowId a = plan.unicast(dp, 0, 3), b = plan.unicast(dp, 1, 3);
  SwitchBench tb(plan, options());
  simulate([&] { tb.send(0, a, 3), tb.send(1, b, 3); });
  // Both ready at 2 ns: the lower port first; then the one whose packet has waited longer.
  EXPECT_EQ(tb.fired(3, a), (Times{ns(2), ns(4), ns(6)}));
  EXPECT_EQ(tb.fired(3, b), (Times{ns(3), ns(5), ns(7)}));
}

TEST_P(Firing, UnicastThatFindsNoPathGoesWhenOneComesFree) {
  // FRED_2(4). 0>0 takes middle switch 0, then 1>2 takes 1 (its R-micro-switch sends one packet to 0
  // already); when 0>0 is over, 2>0 takes 0. Then 3>3 finds 0 taken on its way in and 1 on its way out, until
  // 1>2 is over.
  PlanBuilder plan(4, 2);
  const FlowId first = plan.unicast(dp, 0, 0), second = plan.unicast(dp, 1, 2),
               third = plan.unicast(dp, 2, 0), blocked = plan.unicast(dp, 3, 3);
  SwitchBench tb(plan, options());
  simulate([&] {
    tb.send(0, first);
    wait_until(ns(0.5));
    tb.send(1, second);
    wait_until(ns(1));
    tb.send(2, third);
    wait_until(ns(1.2));
    tb.send(3, blocked);
  });
  EXPECT_EQ(tb.fired(0, first), Times{ns(2)});
  EXPECT_EQ(tb.fired(2, second), Times{ns(2.5)});
  EXPECT_EQ(tb.fired(0, third), Times{ns(3)});
  EXPECT_EQ(tb.fired(3, blocked), Times{ns(3.5)});
}

INSTANTIATE_TEST_SUITE_P(Abstraction, Firing,
                         testing::Values(SwitchBench::Abstraction::microswitch,
                                         SwitchBench::Abstraction::whole_switch),
                         [](const auto& of) {
                           return of.param == SwitchBench::Abstraction::microswitch ? "microswitch"
                                                                                    : "whole_switch";
                         });

}  // namespace
}  // namespace fredsim::test
