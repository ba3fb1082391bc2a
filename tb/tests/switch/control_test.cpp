// Barriers, and what a switch refuses.
#include <gtest/gtest.h>

#include "hw/core/error.h"
#include "tb/tests/switch/switch_bench.h"

namespace fredsim::test {
namespace {

using hw::FlowId;
using hw::Time;
using hw::VirtualChannel;

std::vector<Time> heads(const SwitchBench& tb, std::uint32_t port, FlowId flow) {
  std::vector<Time> times;
  for (const Receiver::Arrival& a : tb.receivers[port]->arrivals) {
    if (a.header.flow == flow) times.push_back(a.head);
  }
  return times;
}

TEST(Barrier, ReleasesItsMembersWhenTheLastHasCome) {
  PlanBuilder plan(4, 3);
  const FlowId barrier = plan.barrier({0, 1, 3});
  SwitchBench tb(plan);
  simulate([&] {
    tb.send(3, barrier);
    wait_until(ns(5));
    tb.send(0, barrier);
    wait_until(ns(8));  // its head is at the switch at 7 ns
    const auto missing = tb.fred->missing_partners();
    ASSERT_EQ(missing.size(), 1u);
    EXPECT_EQ(missing[0].flow, barrier);
    EXPECT_EQ(missing[0].missing, ports({1}));
    wait_until(ns(9));
    EXPECT_TRUE(tb.receivers[3]->arrivals.empty());
    tb.send(1, barrier);
  });
  for (const std::uint32_t port : {0u, 1u, 3u})
    EXPECT_EQ(heads(tb, port, barrier), std::vector<Time>{ns(9 + 2 + 3 * 0.1 + 2)}) << port;
  EXPECT_TRUE(tb.receivers[2]->arrivals.empty());
  EXPECT_TRUE(tb.fred->missing_partners().empty());
  EXPECT_EQ(tb.fred->micro_switch_counts().reductions, 0u);  // it never enters the interconnect
  tb.finish_monitors();
}

TEST(Barrier, ReleaseIsOfTheFirstMemberAndTheLastToBeInjected) {
  PlanBuilder plan(4, 3);
  const FlowId barrier = plan.barrier({1, 2, 3});
  SwitchBench tb(plan);
  simulate([&] {
    tb.send(1, barrier);
    wait_until(ns(4));
    tb.send(3, barrier);
    wait_until(ns(5));
    tb.send(2, barrier);
  });
  const hw::PacketHeader& release = tb.receivers[3]->arrivals.at(0).header;
  EXPECT_EQ(release.source, hw::NpuId(1));
  EXPECT_EQ(release.injected, ns(5));
  EXPECT_EQ(release.wire_bytes, 512u);
}

TEST(Barrier, SeveralAtOnceAreCountedApart) {
  PlanBuilder plan(4, 3);
  const FlowId all = plan.barrier({0, 1, 2, 3}), left = plan.barrier({0, 1}), right = plan.barrier({2, 3});
  SwitchBench tb(plan);
  simulate([&] {
    tb.send(0, all), tb.send(1, all), tb.send(2, all);
    tb.send(2, right);
    tb.send(3, right);  // port 2's leaves second, at 0.125 ns
    wait_until(ns(20));
    tb.send(1, left);
    wait_until(ns(30));
    tb.send(3, all);
    wait_until(ns(40));
    tb.send(0, left);
  });
  EXPECT_EQ(heads(tb, 2, right), std::vector<Time>{ns(0.125 + 4.3)});
  EXPECT_EQ(heads(tb, 3, right), std::vector<Time>{ns(0.125 + 4.3)});
  for (const std::uint32_t port : {0u, 1u, 2u, 3u})
    EXPECT_EQ(heads(tb, port, all), std::vector<Time>{ns(30 + 4.3)}) << port;
  EXPECT_EQ(heads(tb, 0, left), std::vector<Time>{ns(40 + 4.3)});
  EXPECT_EQ(heads(tb, 1, left), std::vector<Time>{ns(40 + 4.3)});
}

TEST(Barrier, PassesDataThatWaits) {
  // All staging and buffers of DP are full; the barrier goes through all the same.
  PlanBuilder plan(4, 3);
  const FlowId data = plan.unicast(dp, 0, 1), barrier = plan.barrier({0, 1});
  SwitchBench tb(plan);
  tb.receivers[1]->hold = [](const hw::PacketHeader& h) { return h.vc == dp ? ns(10'000) : Time(); };
  simulate([&] {
    tb.send(0, data, 40);
    wait_until(ns(100.5));
    tb.send_from({0, 1}, barrier);
  });
  EXPECT_EQ(heads(tb, 1, barrier), std::vector<Time>{ns(100.5 + 4.3)});
}

/// Runs the bench with a mistake in it; the simulation must end with a message that has all these words.
template <class Body>
void expect_internal_error(Body body, std::initializer_list<const char*> words) {
  std::string message;
  try {
    simulate(body);
    FAIL() << "nothing was said";
  } catch (const sc_core::sc_report& report) {
    message = report.get_msg();
  }
  for (const char* word : words)
    EXPECT_NE(message.find(word), std::string::npos) << word << " in " << message;
}

/// Sends a packet as `header` says, whatever the plan says.
void send_as(SwitchBench& tb, std::uint32_t port, FlowId flow, VirtualChannel vc) {
  tb.senders[port]->transmitter.enqueue(
      tb.bench.packet(flow.value, 0, vc, vc == VirtualChannel::control ? 512 : 4096));
}

PlanBuilder four_ports() {
  PlanBuilder plan(4, 3);
  plan.flow(dp, all_reduce({0, 1}));
  plan.unicast(dp, 2, 3);
  plan.barrier({0, 1});
  for (int k = 0; k < 5; ++k) plan.unicast(dp, 0, 3);
  return plan;
}

TEST(FredSwitchRefuses, FlowThatIsNotInItsPlan) {
  SwitchBench tb(four_ports());
  expect_internal_error(
      [&] {
        wait_until(ns(3));
        send_as(tb, 1, FlowId(900), dp);
      },
      {"switch.control at 3 ns", "port 1", "flow 900"});
}

TEST(FredSwitchRefuses, FlowAtAPortThatIsNotItsOwn) {
  SwitchBench tb(four_ports());
  expect_internal_error([&] { send_as(tb, 3, FlowId(0), dp); }, {"switch.control", "port 3", "flow 0"});
}

TEST(FredSwitchRefuses, UnicastAtAnotherPort) {
  SwitchBench tb(four_ports());
  expect_internal_error([&] { send_as(tb, 0, FlowId(1), dp); }, {"switch.control", "port 0", "flow 1"});
}

TEST(FredSwitchRefuses, FlowOnAnotherChannel) {
  SwitchBench tb(four_ports());
  expect_internal_error([&] { send_as(tb, 0, FlowId(0), mp); }, {"switch.control", "port 0", "flow 0", "mp"});
}

TEST(FredSwitchRefuses, BarrierItDoesNotKnow) {
  SwitchBench tb(four_ports());
  expect_internal_error([&] { send_as(tb, 2, FlowId(900), VirtualChannel::control); },
                        {"switch.control at 2 ns", "port 2", "flow 900", "no such barrier"});
}

TEST(FredSwitchRefuses, BarrierPacketOfANonMember) {
  SwitchBench tb(four_ports());
  expect_internal_error([&] { send_as(tb, 2, FlowId(2), VirtualChannel::control); },
                        {"switch.control at 2 ns", "port 2", "flow 2", "not a member"});
}

TEST(FredSwitchRefuses, SecondBarrierPacketOfOneMember) {
  SwitchBench tb(four_ports());
  expect_internal_error(
      [&] {
        send_as(tb, 0, FlowId(2), VirtualChannel::control);
        send_as(tb, 0, FlowId(2), VirtualChannel::control);
      },
      {"switch.control at 2.125 ns", "port 0", "flow 2", "a second one"});
}

}  // namespace
}  // namespace fredsim::test
