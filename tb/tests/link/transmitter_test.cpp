#include "hw/link/transmitter.h"

#include <gtest/gtest.h>

#include <memory>

#include "tb/tests/link/bench.h"

namespace fredsim::test {
namespace {

using hw::Capacity;
using hw::Time;
using hw::VirtualChannel;

/// Sender and receiver without a link between them.
struct Pair {
  explicit Pair(const hw::Capacities& room) : sender("sender", bench, packet_a_nanosecond, room) {
    sender.transmitter.out.bind(receiver.in);
  }
  void enqueue(std::uint32_t flow, std::uint64_t sequence, VirtualChannel vc = VirtualChannel::dp,
               std::uint32_t bytes = 4096) {
    sender.transmitter.enqueue(bench.packet(flow, sequence, vc, bytes));
  }
  std::vector<Time> heads() const {
    std::vector<Time> times;
    for (const Receiver::Arrival& a : receiver.arrivals) times.push_back(a.head);
    return times;
  }
  std::vector<std::uint32_t> flows() const {
    std::vector<std::uint32_t> ids;
    for (const Receiver::Arrival& a : receiver.arrivals) ids.push_back(a.header.flow.value);
    return ids;
  }

  Bench bench;
  Sender sender;
  Receiver receiver{"receiver", packet_a_nanosecond};
};

using Times = std::vector<Time>;
using Flows = std::vector<std::uint32_t>;

TEST(Transmitter, SendsOnePacketAtATime) {
  Pair pair(capacities(Capacity::unlimited()));
  simulate([&] {
    for (std::uint64_t k = 0; k < 4; ++k) pair.enqueue(0, k);
  });
  EXPECT_EQ(pair.heads(), (Times{ns(0), ns(1), ns(2), ns(3)}));
  ASSERT_EQ(pair.sender.departures.size(), 4u);
  EXPECT_EQ(pair.sender.departures[3].tail, ns(4));
  EXPECT_EQ(pair.sender.transmitter.stalled_link_busy(), ns(0 + 1 + 2 + 3));
  EXPECT_EQ(pair.sender.transmitter.stalled_no_credit(), Time());
}

TEST(Transmitter, SmallPacketsTakeTheirShare) {
  Pair pair(capacities(Capacity::unlimited()));
  simulate([&] {
    pair.enqueue(0, 0, VirtualChannel::dp, 1024);
    pair.enqueue(0, 1, VirtualChannel::dp, 6);
    pair.enqueue(0, 2);
  });
  // 6 B at 4.096 TB/s take 1464.84 fs, rounded up: a link never exceeds its rate.
  EXPECT_EQ(pair.heads(), (Times{ns(0), ns(0.25), ns(0.25) + Time::fs(1465)}));
}

TEST(Transmitter, ControlBeforeMpBeforePpBeforeDp) {
  Pair pair(capacities(Capacity::unlimited()));
  simulate([&] {
    pair.enqueue(0, 0);
    wait_until(ns(0.5));  // it is on the link while the others come
    pair.enqueue(1, 0, VirtualChannel::dp);
    pair.enqueue(2, 0, VirtualChannel::pp);
    pair.enqueue(3, 0, VirtualChannel::mp);
    pair.enqueue(4, 0, VirtualChannel::control, 512);
    pair.enqueue(3, 1, VirtualChannel::mp);
  });
  EXPECT_EQ(pair.flows(), (Flows{0, 4, 3, 3, 2, 1}));
}

/// At 1 ns the link comes free while a DP packet waits, and an MP packet comes. The kernel runs the two in
/// any order it likes, which with many of them is not always the same; what was announced before goes first.
TEST(Transmitter, ChoiceDoesNotDependOnTheOrderOfProcesses) {
  constexpr std::size_t pairs = 40;
  Bench bench;
  std::vector<std::unique_ptr<Sender>> senders;
  std::vector<std::unique_ptr<Receiver>> receivers;
  for (std::size_t k = 0; k < pairs; ++k) {
    senders.push_back(std::make_unique<Sender>(("sender" + std::to_string(k)).c_str(), bench,
                                               packet_a_nanosecond, capacities(Capacity::unlimited())));
    receivers.push_back(
        std::make_unique<Receiver>(("receiver" + std::to_string(k)).c_str(), packet_a_nanosecond));
    senders[k]->transmitter.out.bind(receivers[k]->in);
    sc_core::sc_spawn([&, k] {
      hw::Transmitter& transmitter = senders[k]->transmitter;
      transmitter.enqueue(bench.packet(0, 0));
      transmitter.enqueue(bench.packet(0, 1));
      wait_until(ns(1));
      transmitter.enqueue(bench.packet(1, 0, VirtualChannel::mp));
    });
  }
  sc_core::sc_start();
  for (const auto& receiver : receivers) {
    ASSERT_EQ(receiver->arrivals.size(), 3u);
    EXPECT_EQ(receiver->arrivals[1].header.vc, VirtualChannel::dp);
    EXPECT_EQ(receiver->arrivals[1].head, ns(1));
    EXPECT_EQ(receiver->arrivals[2].header.vc, VirtualChannel::mp);
    EXPECT_EQ(receiver->arrivals[2].head, ns(2));
  }
}

TEST(Transmitter, PacketsOfOneInstantGoByPriorityNotByTheOrderOfTheCalls) {
  Pair pair(capacities(Capacity::unlimited()));
  simulate([&] {
    pair.enqueue(1, 0, VirtualChannel::dp);
    pair.enqueue(2, 0, VirtualChannel::pp);
    pair.enqueue(3, 0, VirtualChannel::mp);
    pair.enqueue(4, 0, VirtualChannel::control, 512);
  });
  EXPECT_EQ(pair.flows(), (Flows{4, 3, 2, 1}));
  EXPECT_EQ(pair.heads()[0], Time());  // the choice takes no time
}

TEST(Transmitter, DoesNotInterruptAPacket) {
  Pair pair(capacities(Capacity::unlimited()));
  simulate([&] {
    pair.enqueue(1, 0);
    wait_until(ns(0.5));
    pair.enqueue(4, 0, VirtualChannel::control, 512);
  });
  EXPECT_EQ(pair.heads(), (Times{ns(0), ns(1)}));
}

TEST(Transmitter, ChannelWithoutCreditLetsLowerOnesPass) {
  hw::Capacities room = capacities(Capacity::unlimited());
  room[hw::index(VirtualChannel::mp)] = Capacity::bytes(4096);
  Pair pair(room);
  pair.receiver.hold = [](const hw::PacketHeader& h) {
    return h.vc == VirtualChannel::mp ? ns(4.5) : Time();
  };
  simulate([&] {
    pair.enqueue(1, 0, VirtualChannel::mp);
    pair.enqueue(1, 1, VirtualChannel::mp);  // credit at 1 + 4.5 ns
    for (std::uint64_t k = 0; k < 7; ++k) pair.enqueue(2, k, VirtualChannel::dp);
  });
  EXPECT_EQ(pair.flows(), (Flows{1, 2, 2, 2, 2, 2, 1, 2, 2}));
  EXPECT_EQ(pair.heads()[6], ns(6));  // when the packet on the link at 5.5 ns is over
  // Waited from 0 to 6 ns, the last half for the link only... which it would also have had to wait for.
  EXPECT_EQ(pair.sender.transmitter.stalled_no_credit() + pair.sender.transmitter.stalled_link_busy(),
            ns(6 + 1 + 2 + 3 + 4 + 5 + 7 + 8));
}

TEST(Transmitter, WaitsForCreditOfTheWholePacket) {
  Pair pair(capacities(Capacity::bytes(2 * 4096 - 1)));
  pair.receiver.hold = [](const hw::PacketHeader&) { return ns(9); };
  simulate([&] {
    pair.enqueue(0, 0);
    pair.enqueue(0, 1);
    wait_until(ns(5));
    EXPECT_EQ(pair.sender.transmitter.queued(VirtualChannel::dp), 1u);
    const std::string why = pair.sender.transmitter.waits_for();
    EXPECT_EQ(why, "credit for a packet of 4 KiB on vc dp (4095 B left)");
    wait_until(ns(20));
    EXPECT_EQ(pair.sender.transmitter.waits_for(), "");
  });
  EXPECT_EQ(pair.heads(), (Times{ns(0), ns(10)}));
  EXPECT_EQ(pair.sender.transmitter.stalled_link_busy(), ns(1));
  EXPECT_EQ(pair.sender.transmitter.stalled_no_credit(), ns(9));
  EXPECT_EQ(pair.bench.flows[hw::FlowId(0)].queued, ns(10));
}

TEST(Transmitter, SmallPacketsUseWhatRoomThereIs) {
  // 4096 + 3 x 1024 bytes of room hold one full packet and three small ones.
  Pair pair(capacities(Capacity::bytes(4096 + 3 * 1024)));
  pair.receiver.credits = false;
  simulate([&] {
    pair.enqueue(0, 0);
    for (std::uint64_t k = 1; k < 6; ++k) pair.enqueue(0, k, VirtualChannel::dp, 1024);
  });
  EXPECT_EQ(pair.receiver.arrivals.size(), 4u);
  EXPECT_EQ(pair.sender.transmitter.queued(VirtualChannel::dp), 2u);
}

TEST(Transmitter, UnlimitedNeverWaits) {
  Pair pair(capacities(Capacity::unlimited()));
  pair.receiver.credits = false;
  simulate([&] {
    for (std::uint64_t k = 0; k < 1000; ++k) pair.enqueue(0, k);
  });
  EXPECT_EQ(pair.receiver.arrivals.size(), 1000u);
  EXPECT_EQ(pair.sender.transmitter.waits_for(), "");
}

TEST(Transmitter, UnlimitedMayBeCreditedAllTheSame) {
  Pair pair(capacities(Capacity::unlimited()));
  simulate([&] {
    for (std::uint64_t k = 0; k < 1000; ++k) pair.enqueue(0, k);
  });
  EXPECT_EQ(pair.receiver.arrivals.size(), 1000u);
}

/// Credits that do not come back in the order of their packets count from their own times.
TEST(Transmitter, CreditsOutOfOrder) {
  Pair pair(packets_of_room(2));
  pair.receiver.credits = false;
  pair.receiver.keep = true;
  simulate([&] {
    for (std::uint64_t k = 0; k < 4; ++k) pair.enqueue(0, k);
    wait_until(ns(2));
    pair.receiver.in.credit(*pair.receiver.arrivals[0].packet, ns(20));
    pair.receiver.in.credit(*pair.receiver.arrivals[1].packet, ns(10));
  });
  EXPECT_EQ(pair.heads(), (Times{ns(0), ns(1), ns(10), ns(20)}));
}

/// A client may enqueue from departed(), as a source does that always has more.
class Refill : public sc_core::sc_module, private hw::Transmitter::Client {
 public:
  hw::Transmitter transmitter;
  Refill(sc_core::sc_module_name name, Bench& bench)
      : sc_module(name),
        transmitter("transmitter", bench.context, "refill", packet_a_nanosecond,
                    capacities(Capacity::unlimited()), *this),
        bench_(bench) {}
  void start() { transmitter.enqueue(bench_.packet(0, 0)); }

 private:
  void departed(hw::PortId, const hw::Payload& payload, Time) override {
    const std::uint64_t next = hw::header_of(payload).sequence + 1;
    if (next < 100) transmitter.enqueue(bench_.packet(0, next));
  }
  Bench& bench_;
};

TEST(Transmitter, ClientMayEnqueueWhileAPacketDeparts) {
  Bench bench;
  Refill source("refill", bench);
  Receiver receiver("receiver", packet_a_nanosecond);
  source.transmitter.out.bind(receiver.in);
  simulate([&] { source.start(); });
  ASSERT_EQ(receiver.arrivals.size(), 100u);
  for (std::uint64_t k = 0; k < 100; ++k) {
    EXPECT_EQ(receiver.arrivals[k].header.sequence, k);
    EXPECT_EQ(receiver.arrivals[k].head, ns(static_cast<double>(k)));
  }
}

}  // namespace
}  // namespace fredsim::test
