// Every rule of the packet protocol is broken on purpose, at either end of a link, and the monitor must name
// exactly that rule, where, when and by which packet.
#include <gtest/gtest.h>

#include <array>
#include <cstring>
#include <memory>

#include "hw/core/error.h"
#include "hw/link/monitor.h"
#include "tb/tests/link/bench.h"
#include "tb/tests/link/rogue.h"

namespace fredsim::test {
namespace {

using hw::MonitorConfig;
using hw::PacketRef;
using hw::ProtocolRule;
using hw::Time;
using hw::VirtualChannel;

const Time latency = ns(3.3);
const Time packet_time = line_rate.time_for(4096);
constexpr std::uint32_t room = 3;  // packets

/// A rogue at either end of a link that consists of the monitor alone: the rogues add the latency themselves,
/// each its own share, so that the monitor can sit at either side.
class MonitorRules : public testing::TestWithParam<MonitorConfig::Side> {
 protected:
  MonitorRules() {
    MonitorConfig config;
    config.receiver = packets_of_room(room);
    config.bandwidth = line_rate;
    config.latency = latency;
    config.side = GetParam();
    config.throws = false;
    monitor = std::make_unique<hw::PacketMonitor>("npu5_to_switch", config);
    sender.out.bind(monitor->in);
    monitor->out.bind(receiver.in);
  }

  bool at_sender() const { return GetParam() == MonitorConfig::Side::sender; }
  /// When what leaves the sender at `t` passes the monitor.
  Time passes(Time t) const { return at_sender() ? t : t + latency; }
  /// When what leaves the receiver at `t` passes the monitor.
  Time returns(Time t) const { return at_sender() ? t + latency : t; }

  /// The head leaves the sender at `t`.
  void send(const PacketRef& packet, Time t) { sender.send(*packet, passes(t)); }
  /// The credit leaves the receiver at `t`.
  void credit(const PacketRef& packet, Time t) { receiver.credit(*packet, returns(t)); }
  /// When the tail of a full packet whose head leaves at `t` is at the receiver.
  Time arrived(Time t) const { return t + latency + packet_time; }

  PacketRef packet_with_data(std::uint64_t sequence = 0) {
    hw::PacketHeader header;
    header.flow = hw::FlowId(7);
    header.sequence = sequence;
    header.wire_bytes = 4096;
    PacketRef packet = bench.packets.make_with_room(header, 4090 * sequence, 4090);
    std::memset(packet->get_data_ptr(), 0x5a, 4090);
    return packet;
  }

  void expect_legal() { EXPECT_TRUE(monitor->violations().empty()) << monitor->violations().front().message; }
  /// Exactly one violation of this rule at this time, whose message tells it all.
  void expect_one(ProtocolRule rule, Time at, const std::string& packet) {
    ASSERT_EQ(monitor->violations().size(), 1u);
    const hw::Violation& violation = monitor->violations().front();
    EXPECT_EQ(to_string(violation.rule), to_string(rule)) << violation.message;
    EXPECT_EQ(violation.at, at) << violation.message;
    for (const std::string& part :
         {std::string("npu5_to_switch"), to_string(at), "rule " + std::string(to_string(rule)), packet}) {
      EXPECT_NE(violation.message.find(part), std::string::npos)
          << "'" << part << "' is not in: " << violation.message;
    }
  }

  Bench bench;
  RogueSender sender{"sender"};
  RogueReceiver receiver{"receiver"};
  std::unique_ptr<hw::PacketMonitor> monitor;
};

TEST_P(MonitorRules, LegalToTheFemtosecond) {
  // Packets back to back, each credit at the moment of the tail's arrival, each further packet at the moment
  // its credit is home.
  std::array<PacketRef, room + 1> p;
  for (std::uint32_t k = 0; k <= room; ++k) p[k] = bench.packet(7, k);
  simulate([&] {
    for (std::uint32_t k = 0; k < room; ++k) send(p[k], packet_time * k);
    for (std::uint32_t k = 0; k < room; ++k) credit(p[k], arrived(packet_time * k));
    const Time home = arrived(Time()) + latency;
    send(p[room], home);
    credit(p[room], arrived(home));
    monitor->finish();
  });
  expect_legal();
  EXPECT_EQ(receiver.packets, 4);
  EXPECT_EQ(sender.credits, 4);
}

TEST_P(MonitorRules, ForwardPhase) {
  const PacketRef p = bench.packet(7, 0);
  simulate([&] { sender.send(*p, passes(ns(2)), tlm::END_RESP); });
  expect_one(ProtocolRule::forward_phase, passes(ns(2)), "packet 0 of flow 7");
}

TEST_P(MonitorRules, BackwardPhase) {
  const PacketRef p = bench.packet(7, 0);
  simulate([&] {
    send(p, Time());
    receiver.credit(*p, returns(ns(9)), tlm::BEGIN_RESP);
  });
  expect_one(ProtocolRule::backward_phase, returns(ns(9)), "packet 0 of flow 7");
}

TEST_P(MonitorRules, ResponseToPacket) {
  const PacketRef p = bench.packet(7, 0);
  receiver.answer_to_packet = tlm::TLM_COMPLETED;
  simulate([&] { send(p, ns(1)); });
  expect_one(ProtocolRule::response, passes(ns(1)), "packet 0 of flow 7");
}

TEST_P(MonitorRules, ResponseToCredit) {
  const PacketRef p = bench.packet(7, 0);
  sender.answer_to_credit = tlm::TLM_UPDATED;
  simulate([&] {
    send(p, Time());
    credit(p, ns(20));
  });
  expect_one(ProtocolRule::response, returns(ns(20)), "packet 0 of flow 7");
}

TEST_P(MonitorRules, Extension) {
  hw::Payload bare;
  simulate([&] { sender.send(bare, passes(ns(4))); });
  expect_one(ProtocolRule::extension, passes(ns(4)), "payload without PacketExtension");
}

TEST_P(MonitorRules, Pooled) {
  hw::Payload of_the_stack;
  auto* extension = new hw::PacketExtension;  // the payload deletes it
  extension->header = bench.packet(7, 0).header();
  of_the_stack.set_extension(extension);
  simulate([&] { sender.send(of_the_stack, passes(ns(4))); });
  expect_one(ProtocolRule::pooled, passes(ns(4)), "packet 0 of flow 7");
}

TEST_P(MonitorRules, SizeAboveAPacket) {
  const PacketRef p = bench.packet(7, 0, VirtualChannel::mp, 4097);
  simulate([&] { send(p, ns(1)); });
  expect_one(ProtocolRule::size, passes(ns(1)), "packet 0 of flow 7");
}

TEST_P(MonitorRules, SizeAboveAControlPacket) {
  const PacketRef p = bench.packet(7, 0, VirtualChannel::control, 513);
  simulate([&] { send(p, ns(1)); });
  expect_one(ProtocolRule::size, passes(ns(1)), "packet 0 of flow 7");
}

TEST_P(MonitorRules, SizeBelowHeaderAndElements) {
  hw::PacketHeader header;
  header.flow = hw::FlowId(7);
  header.wire_bytes = 105;
  const PacketRef p = bench.packets.make_with_room(header, 0, 100);  // and 6 bytes of header
  simulate([&] { send(p, ns(1)); });
  expect_one(ProtocolRule::size, passes(ns(1)), "packet 0 of flow 7");
}

TEST_P(MonitorRules, TimeOrder) {
  const PacketRef first = bench.packet(7, 0), second = bench.packet(8, 0);
  simulate([&] {
    send(first, ns(10));
    send(second, ns(10) - Time::fs(1));
  });
  expect_one(ProtocolRule::time_order, passes(ns(10)) - Time::fs(1), "packet 0 of flow 8");
}

TEST_P(MonitorRules, Bandwidth) {
  const PacketRef first = bench.packet(7, 0), second = bench.packet(8, 0, VirtualChannel::control, 512);
  simulate([&] {
    send(first, Time());
    send(second, packet_time - Time::fs(1));
  });
  expect_one(ProtocolRule::bandwidth, passes(packet_time) - Time::fs(1), "packet 0 of flow 8");
}

TEST_P(MonitorRules, Credit) {
  std::array<PacketRef, room + 1> p;
  for (std::uint32_t k = 0; k <= room; ++k) p[k] = bench.packet(7, k);
  simulate([&] {
    for (std::uint32_t k = 0; k <= room; ++k) send(p[k], packet_time * k);
  });
  expect_one(ProtocolRule::credit, passes(packet_time * room), "packet 3 of flow 7");
}

TEST_P(MonitorRules, CreditUsedBeforeItIsHome) {
  std::array<PacketRef, room + 1> p;
  for (std::uint32_t k = 0; k <= room; ++k) p[k] = bench.packet(7, k);
  const Time early = arrived(Time()) + latency - Time::fs(1);
  simulate([&] {
    for (std::uint32_t k = 0; k < room; ++k) send(p[k], packet_time * k);
    credit(p[0], arrived(Time()));
    send(p[room], early);
  });
  expect_one(ProtocolRule::credit, passes(early), "packet 3 of flow 7");
}

TEST_P(MonitorRules, CreditOfAnotherChannel) {
  std::array<PacketRef, room> dp;
  for (std::uint32_t k = 0; k < room; ++k) dp[k] = bench.packet(7, k);
  const PacketRef mp = bench.packet(9, 0, VirtualChannel::mp), one_more = bench.packet(8, 0);
  simulate([&] {
    for (std::uint32_t k = 0; k < room; ++k) send(dp[k], packet_time * k);
    send(mp, ns(10));  // has room of its own
    credit(mp, ns(20));
    send(one_more, ns(30));  // still has none
  });
  expect_one(ProtocolRule::credit, passes(ns(30)), "packet 0 of flow 8");
}

TEST_P(MonitorRules, SequenceSkips) {
  const PacketRef p = bench.packet(7, 1);
  simulate([&] { send(p, ns(1)); });
  expect_one(ProtocolRule::sequence, passes(ns(1)), "packet 1 of flow 7");
}

TEST_P(MonitorRules, SequenceRepeats) {
  const PacketRef p = bench.packet(7, 0), again = bench.packet(7, 0);
  simulate([&] {
    send(p, ns(1));
    send(again, ns(5));
  });
  expect_one(ProtocolRule::sequence, passes(ns(5)), "packet 0 of flow 7");
}

TEST_P(MonitorRules, ReadOnlyData) {
  const PacketRef p = packet_with_data();
  simulate([&] {
    send(p, Time());
    p->get_data_ptr()[4089] ^= 1;
    credit(p, ns(10));
  });
  expect_one(ProtocolRule::read_only, returns(ns(10)), "packet 0 of flow 7");
}

TEST_P(MonitorRules, ReadOnlyDataPointer) {
  const PacketRef p = packet_with_data(), twin = packet_with_data();
  simulate([&] {
    send(p, Time());
    p->set_data_ptr(twin->get_data_ptr());
    credit(p, ns(10));
  });
  expect_one(ProtocolRule::read_only, returns(ns(10)), "packet 0 of flow 7");
}

TEST_P(MonitorRules, ReadOnlyAddress) {
  const PacketRef p = packet_with_data();
  simulate([&] {
    send(p, Time());
    p->set_address(2);
    credit(p, ns(10));
  });
  expect_one(ProtocolRule::read_only, returns(ns(10)), "packet 0 of flow 7");
}

TEST_P(MonitorRules, ReadOnlyHeader) {
  // Each field of the header in a packet of its own.
  const std::vector<std::function<void(hw::PacketHeader&)>> changes = {
      [](hw::PacketHeader& h) { h.flow = hw::FlowId(8); },
      [](hw::PacketHeader& h) { h.operation = hw::OperationId(1); },
      [](hw::PacketHeader& h) { h.source = hw::NpuId(1); },
      [](hw::PacketHeader& h) { h.vc = VirtualChannel::mp; },
      [](hw::PacketHeader& h) { h.dtype = hw::DType::fp32; },
      [](hw::PacketHeader& h) { h.op = hw::ReduceOp::max; },
      [](hw::PacketHeader& h) { h.damaged = true; },
      [](hw::PacketHeader& h) { h.wire_bytes = 4095; },
      [](hw::PacketHeader& h) { h.sequence += 1; },
      [](hw::PacketHeader& h) { h.injected = ns(1); },
  };
  simulate([&] {
    for (std::size_t k = 0; k < changes.size(); ++k) {
      wait_until(ns(20.0 * static_cast<double>(k)));
      const PacketRef p = bench.packet(7, k);
      send(p, hw::now());
      changes[k](p->get_extension<hw::PacketExtension>()->header);
      credit(p, arrived(hw::now()));
    }
  });
  ASSERT_EQ(monitor->violations().size(), changes.size());
  for (std::size_t k = 0; k < changes.size(); ++k) {
    const hw::Violation& violation = monitor->violations()[k];
    EXPECT_EQ(to_string(violation.rule), "read_only");
    const std::string packet = "packet " + std::to_string(k) + " of flow 7";  // as it was sent
    EXPECT_NE(violation.message.find(packet), std::string::npos) << violation.message;
  }
}

TEST_P(MonitorRules, CreditForNothing) {
  const PacketRef p = bench.packet(7, 0);
  simulate([&] { credit(p, ns(10)); });
  expect_one(ProtocolRule::credit_unknown, returns(ns(10)), "packet 0 of flow 7");
}

TEST_P(MonitorRules, CreditTwice) {
  const PacketRef p = bench.packet(7, 0);
  simulate([&] {
    send(p, Time());
    credit(p, ns(10));
    credit(p, ns(11));
  });
  expect_one(ProtocolRule::credit_unknown, returns(ns(11)), "packet 0 of flow 7");
}

TEST_P(MonitorRules, CreditEarly) {
  const PacketRef p = bench.packet(7, 0);
  const Time early = arrived(ns(1)) - Time::fs(1);
  simulate([&] {
    send(p, ns(1));
    credit(p, early);
  });
  expect_one(ProtocolRule::credit_early, returns(early), "packet 0 of flow 7");
}

TEST_P(MonitorRules, CreditsHome) {
  const PacketRef p = bench.packet(7, 0), lost = bench.packet(7, 1);
  simulate([&] {
    send(p, Time());
    send(lost, ns(2));
    credit(p, ns(10));
    wait_until(ns(30));
    monitor->finish();
  });
  expect_one(ProtocolRule::credits_home, ns(30), "packet 1 of flow 7");
}

TEST_P(MonitorRules, CreditsHomeThoughThePayloadIsUsedAgain) {
  // The receiver forgets packet 0 and its payload goes back to the pool; were the next packet the same
  // payload, its credit could pass for the first one's.
  simulate([&] {
    for (std::uint64_t k = 0; k < 2; ++k) {
      wait_until(ns(20.0 * static_cast<double>(k)));
      const PacketRef p = bench.packet(7, k);
      send(p, hw::now());
      if (k == 1) credit(p, arrived(hw::now()));
    }
    monitor->finish();
  });
  expect_one(ProtocolRule::credits_home, ns(20), "packet 0 of flow 7");
}

INSTANTIATE_TEST_SUITE_P(Side, MonitorRules,
                         testing::Values(MonitorConfig::Side::sender, MonitorConfig::Side::receiver),
                         [](const auto& at) {
                           return at.param == MonitorConfig::Side::sender ? "sender" : "receiver";
                         });

}  // namespace
}  // namespace fredsim::test
