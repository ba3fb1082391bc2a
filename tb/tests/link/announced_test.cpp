// Packets that are announced to a transmitter before they are there.
#include <gtest/gtest.h>

#include <memory>
#include <random>
#include <string>

#include "hw/core/error.h"
#include "tb/tests/link/bench.h"

namespace fredsim::test {
namespace {

using hw::Capacity;
using hw::Time;
using hw::VirtualChannel;

struct AnnouncingPair {
  AnnouncingPair(Bench& shared, const std::string& name, Time lead, const hw::Capacities& room)
      : bench(shared),
        sender((name + "_sender").c_str(), shared, packet_a_nanosecond, room, lead),
        receiver((name + "_receiver").c_str(), packet_a_nanosecond) {
    sender.transmitter.out.bind(receiver.in);
  }
  void announce(Time at, std::uint32_t flow, std::uint64_t sequence, VirtualChannel vc = VirtualChannel::dp) {
    sender.transmitter.enqueue(bench.packet(flow, sequence, vc), at);
  }
  std::string arrivals() const {
    std::string text;
    for (const Receiver::Arrival& a : receiver.arrivals) {
      text += std::to_string(a.head.fs()) + " flow " + std::to_string(a.header.flow.value) + " packet " +
              std::to_string(a.header.sequence) + "\n";
    }
    return text;
  }

  Bench& bench;
  Sender sender;
  Receiver receiver;
};

const hw::Capacities unlimited = capacities(Capacity::unlimited());

TEST(Announced, GoesWithoutAnEventWhereNothingCanComeBefore) {
  Bench bench;
  AnnouncingPair pair(bench, "pair", ns(2), unlimited);
  simulate([&] {
    for (std::uint64_t k = 0; k < 10; ++k) {
      wait_until(ns(static_cast<double>(k)));
      pair.announce(ns(static_cast<double>(k + 2)), 0, k);
      ASSERT_EQ(pair.receiver.arrivals.size(), k + 1);
      EXPECT_EQ(pair.receiver.arrivals[k].head, ns(static_cast<double>(k + 2)));
    }
  });
  EXPECT_EQ(bench.context.kernel_events, 0u);
  EXPECT_EQ(pair.sender.transmitter.stalled_link_busy() + pair.sender.transmitter.stalled_no_credit(),
            Time());
}

TEST(Announced, FurtherAheadLetsOthersPassUntilItIsThere) {
  Bench bench;
  AnnouncingPair pair(bench, "pair", ns(1), unlimited);
  simulate([&] {
    pair.announce(ns(6), 1, 0, VirtualChannel::control);
    pair.announce(ns(4), 2, 0, VirtualChannel::control);  // one that is announced later may be there before
    wait_until(ns(1));
    pair.announce(ns(2), 3, 0);
    wait_until(ns(3));
    pair.announce(ns(4), 3, 1);  // with flow 2, which goes first
    wait_until(ns(5));
    pair.announce(ns(6), 3, 2);  // with flow 1; the link is free
  });
  EXPECT_EQ(pair.arrivals(),
            "2000000 flow 3 packet 0\n"
            "4000000 flow 2 packet 0\n"
            "5000000 flow 3 packet 1\n"
            "6000000 flow 1 packet 0\n"
            "7000000 flow 3 packet 2\n");
}

TEST(Announced, TooLateIsAnError) {
  Bench bench;
  AnnouncingPair pair(bench, "pair", ns(1), unlimited);
  simulate([&] { EXPECT_THROW(pair.announce(ns(0.5), 0, 0), hw::InternalError); });
}

TEST(Announced, WaitsForCreditAndForTheLink) {
  Bench bench;
  AnnouncingPair pair(bench, "pair", ns(1), packets_of_room(1));
  pair.receiver.hold = [](const hw::PacketHeader&) { return ns(2); };
  simulate([&] {
    for (std::uint64_t k = 0; k < 3; ++k) {
      wait_until(ns(0.5 * static_cast<double>(k)));
      pair.announce(ns(1 + 0.5 * static_cast<double>(k)), 0, k);
    }
  });
  // There at 1, 1.5 and 2 ns; each goes when the credit of the one before is back, 3 ns later.
  EXPECT_EQ(pair.arrivals(), "1000000 flow 0 packet 0\n4000000 flow 0 packet 1\n7000000 flow 0 packet 2\n");
  EXPECT_EQ(pair.sender.transmitter.stalled_link_busy(), ns(0.5 + 3));
  EXPECT_EQ(pair.sender.transmitter.stalled_no_credit(), ns(2 + 2));
  EXPECT_EQ(bench.flows[hw::FlowId(0)].queued, ns(2.5 + 5));
}

// A transmitter whose owner promises no lead waits with everything, and must come to the same.
TEST(Announced, IsTheSameWithAndWithoutWaiting) {
  constexpr int runs = 20;
  Bench bench;
  std::vector<std::unique_ptr<AnnouncingPair>> waiting, ahead;
  for (int run = 0; run < runs; ++run) {
    const hw::Capacities room =
        run % 4 == 0 ? unlimited : packets_of_room(static_cast<std::uint64_t>(run % 4));
    for (auto* list : {&waiting, &ahead}) {
      const bool leads = list == &ahead;
      list->push_back(std::make_unique<AnnouncingPair>(bench, (leads ? "a" : "w") + std::to_string(run),
                                                       leads ? ns(1.5) : Time(), room));
      AnnouncingPair& pair = *list->back();
      pair.receiver.hold = [run](const hw::PacketHeader& h) {
        return Time::fs(static_cast<std::int64_t>((h.sequence * 7919 + h.flow.value * 104729) % 40) *
                        50'000) *
               (run % 5);
      };
      sc_core::sc_spawn([&pair, run] {
        std::mt19937_64 random(static_cast<std::uint64_t>(run));
        std::uint64_t sequence[hw::virtual_channels] = {};
        for (int k = 0; k < 300; ++k) {
          // As in a switch: packets of a class on their way no closer than the link takes them, or closer.
          sc_core::sc_time step =
              sc_core::sc_time::from_value(1 + random() % (run % 2 ? 2'000'000 : 1'300'000));
          if (random() % 3 == 0) step = hw::to_sc(ns(1));
          sc_core::wait(step);
          const std::uint64_t vc = random() % hw::virtual_channels;
          const bool control = vc == hw::index(VirtualChannel::control);
          const Time extra = control ? Time::fs(1 + static_cast<std::int64_t>(random() % 4'000'000)) : Time();
          pair.announce(hw::now() + ns(1.5) + extra, static_cast<std::uint32_t>(vc), sequence[vc]++,
                        static_cast<VirtualChannel>(vc));
        }
      });
    }
  }
  sc_core::sc_start();
  for (int run = 0; run < runs; ++run) {
    SCOPED_TRACE(run);
    const AnnouncingPair &w = *waiting[static_cast<std::size_t>(run)],
                         &a = *ahead[static_cast<std::size_t>(run)];
    ASSERT_EQ(w.receiver.arrivals.size(), 300u);
    EXPECT_EQ(w.arrivals(), a.arrivals());
    EXPECT_EQ(w.sender.transmitter.stalled_link_busy(), a.sender.transmitter.stalled_link_busy());
    EXPECT_EQ(w.sender.transmitter.stalled_no_credit(), a.sender.transmitter.stalled_no_credit());
    for (std::size_t vc = 0; vc < hw::virtual_channels; ++vc) {
      const auto channel = static_cast<VirtualChannel>(vc);
      EXPECT_EQ(w.sender.transmitter.peak_outstanding(channel, Time::max()),
                a.sender.transmitter.peak_outstanding(channel, Time::max()));
    }
  }
}

// At 5 ns the link is idle, and packets come from processes that the kernel runs in any order.
TEST(Announced, AtOnceGoesByPriorityNotByTheOrderOfProcesses) {
  constexpr std::size_t pairs = 40;
  Bench bench;
  std::vector<std::unique_ptr<AnnouncingPair>> all;
  for (std::size_t k = 0; k < pairs; ++k) {
    all.push_back(std::make_unique<AnnouncingPair>(bench, "pair" + std::to_string(k), Time(), unlimited));
    const auto come = [&pair = *all.back()](std::uint32_t flow, VirtualChannel vc) {
      sc_core::sc_spawn([&pair, flow, vc] {
        wait_until(ns(5));
        pair.announce(ns(5), flow, 0, vc);
      });
    };
    if (k % 2 == 0) come(1, VirtualChannel::dp);
    come(2, VirtualChannel::mp);
    if (k % 2 == 1) come(1, VirtualChannel::dp);
  }
  sc_core::sc_start();
  for (const auto& pair : all) {
    EXPECT_EQ(pair->arrivals(), "5000000 flow 2 packet 0\n6000000 flow 1 packet 0\n");
  }
}

// Three packets leave at 3, 4 and 8 ns. The credit of the first counts from 7 ns on, which is told only when
// the third has been announced.
TEST(Announced, PeakOfOutstandingBytesKnowsLateCredits) {
  Bench bench;
  AnnouncingPair late(bench, "late", ns(3), packets_of_room(8)),
      never(bench, "never", ns(3), packets_of_room(8));
  for (AnnouncingPair* pair : {&late, &never}) {
    pair->receiver.credits = false;
    pair->receiver.keep = true;
    sc_core::sc_spawn([&, pair] {
      const auto peak = [pair](double end) {
        return pair->sender.transmitter.peak_outstanding(VirtualChannel::dp, ns(end)) / 4096;
      };
      pair->announce(ns(3), 0, 0);
      EXPECT_EQ(peak(3), 0u);
      EXPECT_EQ(peak(3.5), 1u);
      wait_until(ns(1));
      pair->announce(ns(4), 0, 1);
      EXPECT_EQ(peak(4), 1u);
      wait_until(ns(5));
      pair->announce(ns(8), 0, 2);
      wait_until(ns(6));
      if (pair == &late) pair->receiver.in.credit(*pair->receiver.arrivals[0].packet, ns(7));
      EXPECT_EQ(peak(8), 2u);
      EXPECT_EQ(peak(9), pair == &late ? 2u : 3u);
    });
  }
  sc_core::sc_start();
}

TEST(Announced, LinkCountsWhatHasEnteredBeforeTheEnd) {
  Bench bench;
  Sender sender("sender", bench, packet_a_nanosecond, unlimited, ns(3));
  hw::Link link("link", bench.context, "link", {packet_a_nanosecond, ns(2)});
  Receiver receiver("receiver", packet_a_nanosecond);
  sender.transmitter.out.bind(link.in);
  link.out.bind(receiver.in);
  sc_core::sc_spawn([&] {
    sender.transmitter.enqueue(bench.packet(0, 0, VirtualChannel::control, 512), ns(3));
    wait_until(ns(0.5));
    sender.transmitter.enqueue(bench.packet(1, 0), ns(3.5));
    wait_until(ns(2));
    sender.transmitter.enqueue(bench.packet(1, 1, VirtualChannel::dp, 2048), ns(5));
  });
  sc_core::sc_start(hw::to_sc(ns(2.5)));
  ASSERT_EQ(receiver.arrivals.size(), 3u);  // all of them have been told of
  struct Expected {
    double end, busy;
    std::uint64_t control_bytes, packets, bytes;
  };
  // They enter from 3 to 3.125, from 3.5 to 4.5 and from 5 to 5.5 ns.
  for (const Expected& e :
       {Expected{2.5, 0, 0, 0, 0}, Expected{3, 0, 0, 0, 0}, Expected{3.0625, 0.0625, 512, 0, 0},
        Expected{3.5, 0.125, 512, 0, 0}, Expected{4.5, 1.125, 512, 1, 4096}, Expected{5, 1.125, 512, 1, 4096},
        Expected{5.25, 1.375, 512, 2, 6144}, Expected{7, 1.625, 512, 2, 6144}}) {
    SCOPED_TRACE(e.end);
    EXPECT_EQ(link.busy(ns(e.end)), ns(e.busy));
    const hw::Link::Traffic traffic = link.traffic(ns(e.end));
    EXPECT_EQ(traffic.control_packets, e.control_bytes / 512);
    EXPECT_EQ(traffic.control_bytes, e.control_bytes);
    EXPECT_EQ(traffic.packets, e.packets);
    EXPECT_EQ(traffic.bytes, e.bytes);
  }
}

}  // namespace
}  // namespace fredsim::test
