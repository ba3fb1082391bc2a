// The monitors are silent about legal traffic however it comes, loud in `throws` mode, and publish what
// passes.
#include <gtest/gtest.h>

#include <map>
#include <random>
#include <regex>

#include "hw/core/error.h"
#include "hw/link/monitor.h"
#include "tb/tests/link/bench.h"
#include "tb/tests/link/rogue.h"

namespace fredsim::test {
namespace {

using hw::Capacity;
using hw::MonitorConfig;
using hw::PacketMonitor;
using hw::PacketRecord;
using hw::Time;
using hw::VirtualChannel;

MonitorConfig monitor_config(const hw::Capacities& room, Time latency, MonitorConfig::Side side) {
  MonitorConfig config;
  config.receiver = room;
  config.bandwidth = line_rate;
  config.latency = latency;
  config.side = side;
  return config;
}

/// Keeps copies of what a monitor publishes.
class Subscriber : public sc_core::sc_module, public tlm::tlm_analysis_if<PacketRecord> {
 public:
  struct Seen {
    PacketRecord record;
    std::vector<std::byte> data;
  };

  std::vector<Seen> seen;

  explicit Subscriber(sc_core::sc_module_name name) : sc_module(name) {}
  void write(const PacketRecord& record) override {
    seen.push_back({record, {}});
    if (record.data) seen.back().data.assign(record.data, record.data + record.bytes);
  }
};

/// sender - monitor - link - monitor - receiver
struct Channel {
  Channel(const hw::Capacities& room, Time latency)
      : sender("sender", bench, line_rate, room),
        at_sender("link_sender", monitor_config(room, latency, MonitorConfig::Side::sender)),
        link("link", bench.context, "link", {line_rate, latency}),
        at_receiver("link_receiver", monitor_config(room, latency, MonitorConfig::Side::receiver)) {
    sender.transmitter.out.bind(at_sender.in);
    at_sender.out.bind(link.in);
    link.out.bind(at_receiver.in);
    at_receiver.out.bind(receiver.in);
    at_sender.passed.bind(sent);
    at_receiver.passed.bind(received);
  }

  Bench bench;
  Sender sender;
  PacketMonitor at_sender;
  hw::Link link;
  PacketMonitor at_receiver;
  Receiver receiver{"receiver", line_rate};
  Subscriber sent{"sent"}, received{"received"};
};

class LegalTraffic : public testing::TestWithParam<std::uint32_t> {};

TEST_P(LegalTraffic, IsNoViolation) {
  std::mt19937_64 random(GetParam());
  const auto below = [&random](std::uint64_t n) { return random() % n; };
  // Any room from one packet up, or none at all to speak of.
  hw::Capacities room;
  for (Capacity& capacity : room)
    capacity = below(5) == 0 ? Capacity::unlimited() : Capacity::bytes(4096 + below(30'000));
  const Time latency = Time::fs(static_cast<std::int64_t>(below(8'000'000)));
  Channel channel(room, latency);
  const std::int64_t longest_hold = below(2) == 0 ? 1 : 20'000'000;
  channel.receiver.hold = [&](const hw::PacketHeader&) {
    return Time::fs(static_cast<std::int64_t>(below(static_cast<std::uint64_t>(longest_hold))));
  };
  constexpr std::size_t packets = 20'000;
  std::map<std::uint32_t, std::uint64_t> next;
  simulate([&] {
    for (std::size_t k = 0; k < packets; ++k) {
      const auto vc = static_cast<VirtualChannel>(below(hw::virtual_channels));
      const std::uint32_t most = vc == VirtualChannel::control ? 512 : 4096;
      const auto bytes = static_cast<std::uint32_t>(below(3) == 0 ? most : 6 + below(most - 5));
      const auto flow = static_cast<std::uint32_t>(4 * below(8) + hw::index(vc));  // a flow has one channel
      channel.sender.transmitter.enqueue(channel.bench.packet(flow, next[flow]++, vc, bytes));
      if (below(3) == 0) wait_until(hw::now() + Time::fs(static_cast<std::int64_t>(below(6'000'000))));
    }
  });
  ASSERT_EQ(channel.receiver.arrivals.size(), packets) << "seed " << GetParam();
  channel.at_sender.finish();
  channel.at_receiver.finish();
  EXPECT_TRUE(channel.at_sender.violations().empty());
  EXPECT_TRUE(channel.at_receiver.violations().empty());
  EXPECT_EQ(channel.bench.packets.in_flight(), 0u);

  // Nothing overtakes on its channel, and what was sent is what arrives, a latency later.
  std::map<std::uint32_t, std::uint64_t> sequence;
  for (std::size_t k = 0; k < packets; ++k) {
    const Receiver::Arrival& arrival = channel.receiver.arrivals[k];
    ASSERT_EQ(arrival.header.sequence, sequence[arrival.header.flow.value]++);
    ASSERT_EQ(arrival.head, channel.sender.departures[k].head + latency);
  }
}

INSTANTIATE_TEST_SUITE_P(Seed, LegalTraffic, testing::Range(1u, 9u));

TEST(MonitorRecords, SayWhatPassesWhenAndWhere) {
  const Time latency = ns(3.3);
  Channel channel(packets_of_room(2), latency);
  simulate([&] {
    for (std::uint64_t k = 0; k < 3; ++k) {
      hw::PacketHeader header;
      header.flow = hw::FlowId(5);
      header.source = hw::NpuId(2);
      header.sequence = k;
      header.wire_bytes = 106;
      const hw::PacketRef packet = channel.bench.packets.make_with_room(header, 100 * k, 100);
      for (std::size_t i = 0; i < 100; ++i) packet->get_data_ptr()[i] = static_cast<unsigned char>(i + k);
      channel.sender.transmitter.enqueue(packet);
    }
  });
  ASSERT_EQ(channel.sent.seen.size(), 3u);
  ASSERT_EQ(channel.received.seen.size(), 3u);
  for (std::uint64_t k = 0; k < 3; ++k) {
    const PacketRecord& sent = channel.sent.seen[k].record;
    const PacketRecord& received = channel.received.seen[k].record;
    EXPECT_EQ(sent.at, line_rate.time_for(106) * static_cast<std::int64_t>(k));
    EXPECT_EQ(sent.tail_at, sent.at + line_rate.time_for(106));
    EXPECT_EQ(received.at, sent.at + latency);
    EXPECT_EQ(received.tail_at, sent.tail_at + latency);
    EXPECT_STREQ(sent.monitor, "link_sender");
    EXPECT_STREQ(received.monitor, "link_receiver");
    for (const Subscriber::Seen* seen : {&channel.sent.seen[k], &channel.received.seen[k]}) {
      EXPECT_EQ(seen->record.header.flow, hw::FlowId(5));
      EXPECT_EQ(seen->record.header.sequence, k);
      EXPECT_EQ(seen->record.offset, 100 * k);
      ASSERT_EQ(seen->data.size(), 100u);
      for (std::size_t i = 0; i < 100; ++i) ASSERT_EQ(seen->data[i], static_cast<std::byte>(i + k));
    }
  }
}

TEST(MonitorRecords, HaveNoDataInTimingOnlyRuns) {
  Channel channel(packets_of_room(2), Time());
  simulate([&] { channel.sender.transmitter.enqueue(channel.bench.packet(0, 0)); });
  ASSERT_EQ(channel.sent.seen.size(), 1u);
  EXPECT_EQ(channel.sent.seen[0].record.data, nullptr);
}

/// The exception reaches whoever runs the simulation, with the message.
TEST(MonitorThrows, AtTheViolation) {
  Bench bench;
  MonitorConfig config = monitor_config(packets_of_room(1), ns(1), MonitorConfig::Side::sender);
  RogueSender sender("sender");
  RogueReceiver receiver("receiver");
  PacketMonitor monitor("npu0_to_switch", config);
  sender.out.bind(monitor.in);
  monitor.out.bind(receiver.in);
  const hw::PacketRef first = bench.packet(0, 0), second = bench.packet(0, 1);
  bool thrown = false;
  simulate([&] {
    sender.send(*first, Time());
    try {
      sender.send(*second, ns(5));
    } catch (const hw::InternalError& error) {
      thrown = true;
      EXPECT_EQ(std::string(error.what()), monitor.violations().at(0).message);
      EXPECT_TRUE(
          std::regex_search(error.what(), std::regex("npu0_to_switch at 5 ns: rule credit: packet 1")))
          << error.what();
    }
  });
  EXPECT_TRUE(thrown);
  EXPECT_EQ(receiver.packets, 1);  // the second one went no further
}

TEST(MonitorThrows, EndsASimulationThatDoesNotCatchIt) {
  Bench bench;
  RogueSender sender("sender");
  RogueReceiver receiver("receiver");
  PacketMonitor monitor("npu0_to_switch",
                        monitor_config(packets_of_room(1), ns(1), MonitorConfig::Side::sender));
  sender.out.bind(monitor.in);
  monitor.out.bind(receiver.in);
  const hw::PacketRef packet = bench.packet(0, 3);
  try {
    simulate([&] { sender.send(*packet, Time()); });
    FAIL() << "the simulation went on";
  } catch (const sc_core::sc_report& report) {
    EXPECT_NE(std::string(report.get_msg()).find("rule sequence"), std::string::npos) << report.get_msg();
  }
}

}  // namespace
}  // namespace fredsim::test
