// The aggregator as a module: sums, and the faults that users of such hardware know. Times by hand.
#include "fpga_agg/aggregator/aggregator.h"

#include <gtest/gtest.h>

#include <cstring>

#include "hw/core/error.h"
#include "hw/link/environment.h"

namespace fredsim::agg::test {
namespace {

hw::Time us(double t) {
  return hw::Time::fs(static_cast<std::int64_t>(t * 1e9));
}

constexpr std::uint32_t sites = 6;
constexpr std::uint32_t elements = 250;  // FP32: 1000 bytes, and no header
const WanFlows flows(sites);

/// What comes out, with its time.
class Sink : public sc_core::sc_module, private hw::PacketSink {
 public:
  struct Arrival {
    hw::PacketHeader header;
    hw::Time at;
    std::vector<float> values;
  };
  hw::PacketTargetSocket in;
  std::vector<Arrival> arrivals;

  explicit Sink(sc_core::sc_module_name name) : sc_module(name), in("in", *this) {}

 private:
  void packet_arrives(hw::PortId, hw::Payload& payload, hw::Time at) override {
    in.credit(payload, at);
    Arrival arrival{hw::header_of(payload), at, {}};
    if (hw::data_of(payload) != nullptr) {
      arrival.values.resize(payload.get_data_length() / sizeof(float));
      std::memcpy(arrival.values.data(), hw::data_of(payload), payload.get_data_length());
    }
    arrivals.push_back(std::move(arrival));
  }
  hw::PortStatus port_status(hw::PortId) override { return {}; }
};

/// An aggregator at site 0, between a WAN played by the test and two sinks.
class Bench final : public sc_core::sc_module, private hw::CreditSink {
 public:
  Bench(sc_core::sc_module_name name, Aggregator::Config config)
      : sc_module(name), environment_(flows.count(4), format()), wan_("wan", *this) {
    config.site = 0;
    config.sites = sites;
    aggregator.emplace("aggregator", environment_.context, "aggregator", config);
    wan_.bind(aggregator->in);
    aggregator->out.bind(site.in);
    aggregator->to_wan.bind(requests.in);
  }

  void open(std::uint32_t round, const std::vector<std::uint32_t>& sources, std::uint64_t packets) {
    SessionConfig session;
    session.sources = static_cast<std::uint32_t>(sources.size());
    session.packets = packets;
    session.packet_elements = session.last_elements = elements;
    session.dtype = hw::DType::fp32;
    aggregator->open(round, sources, session);
    aggregator->begin(round, hw::Time());
  }

  /// A packet of `from` whose elements are all `value`, now.
  void send(std::uint32_t round, std::uint32_t from, std::uint64_t packet, float value, bool resent = false) {
    hw::PacketHeader header;
    header.flow = resent ? flows.unicast(from, 0) : flows.multicast(round, from);
    header.operation = hw::OperationId(round);
    header.source = hw::NpuId(from);
    header.dtype = hw::DType::fp32;
    header.sequence = packet;
    header.wire_bytes = elements * sizeof(float);
    const hw::PacketRef ref = environment_.packets.make_with_room(header, 0, header.wire_bytes);
    const std::vector<float> values(elements, value);
    std::memcpy(ref->get_data_ptr(), values.data(), header.wire_bytes);
    wan_.send(*ref, hw::now());
  }

  void run_to(hw::Time at) { sc_core::sc_start(hw::to_sc(at - hw::now())); }

  Sink site{"site"};
  Sink requests{"requests"};
  std::optional<Aggregator> aggregator;

 private:
  static hw::PacketFormat format() {
    hw::PacketFormat format;
    format.bytes = elements * sizeof(float);
    format.header = 0;
    return format;
  }
  void credit_returns(hw::PortId, hw::Payload&, hw::Time) override {}

  hw::Environment environment_;
  hw::PacketInitiatorSocket wan_;
};

Aggregator::Config unlimited() {
  Aggregator::Config config;
  config.slots.memory = hw::Capacity::unlimited();
  return config;
}

TEST(Aggregator, TwoCliquesAtOneAggregator) {
  Bench bench("bench", unlimited());
  bench.open(0, {1, 2}, 2);
  bench.open(1, {1, 3, 4}, 2);
  for (std::uint64_t packet = 0; packet < 2; ++packet) {
    bench.send(0, 1, packet, 1);
    bench.send(1, 4, packet, 40);
    bench.send(1, 1, packet, 10);
    bench.send(0, 2, packet, 2);
    bench.send(1, 3, packet, 30);
  }
  bench.run_to(us(1));
  ASSERT_EQ(bench.site.arrivals.size(), 4u);
  for (const Sink::Arrival& sum : bench.site.arrivals) {
    const bool first = sum.header.operation.value == 0;
    EXPECT_EQ(sum.values, std::vector<float>(elements, first ? 3.0f : 80.0f));
    EXPECT_EQ(flows.updates_in(sum.header.flow), first ? 2u : 3u);
  }
  EXPECT_EQ(bench.aggregator->slots().used(), 0u);
}

TEST(Aggregator, DuplicatesAndLatePacketsCountOnce) {
  Bench bench("bench", unlimited());
  bench.open(0, {1, 2}, 2);
  bench.open(1, {1, 2}, 2);
  bench.send(0, 1, 0, 1);
  bench.send(0, 1, 0, 1, true);  // doubled
  bench.send(0, 2, 0, 2);
  bench.send(0, 1, 0, 1, true);  // late
  bench.send(1, 1, 0, 10);       // in the slot that has just become free
  bench.send(0, 2, 0, 2, true);  // late, after the slot's next user
  bench.send(1, 2, 0, 20);
  bench.run_to(us(1));
  ASSERT_EQ(bench.site.arrivals.size(), 2u);
  EXPECT_EQ(bench.site.arrivals[0].values.front(), 3);
  EXPECT_EQ(bench.site.arrivals[1].values.front(), 30);
  EXPECT_EQ(bench.aggregator->statistics().duplicates, 1u);
  EXPECT_EQ(bench.aggregator->statistics().late, 2u);
}

/// 8 Gb/s are 1 us a packet: the sum of the two packets that come at once at 0, 2, 4, ... us goes at 2, 4, 6.
TEST(Aggregator, DataPathTakesOnePacketAtATime) {
  Aggregator::Config config = unlimited();
  config.data_path = hw::Bandwidth::bits_per_second(8'000'000'000);
  Bench bench("bench", config);
  bench.open(0, {1, 2}, 3);
  for (std::uint64_t packet = 0; packet < 3; ++packet) {
    bench.send(0, 1, packet, 1);
    bench.send(0, 2, packet, 2);
  }
  bench.run_to(us(20));
  ASSERT_EQ(bench.site.arrivals.size(), 3u);
  for (std::size_t k = 0; k < 3; ++k)
    EXPECT_EQ(bench.site.arrivals[k].at, us(2.0 * static_cast<double>(k + 1)));
  EXPECT_EQ(bench.aggregator->statistics().busy, us(6));
  EXPECT_EQ(bench.aggregator->statistics().queued, us(5));
}

/// A packet moves its accumulators twice: 2000 bytes, 2 us at 1 GB/s, which the data path does not shorten.
TEST(Aggregator, MemoryBandwidthIsALimit) {
  Aggregator::Config config = unlimited();
  config.data_path = hw::Bandwidth::bits_per_second(8'000'000'000);
  config.memory_bandwidth = hw::Bandwidth::bits_per_second(8'000'000'000);
  Bench bench("bench", config);
  bench.open(0, {1, 2}, 1);
  bench.send(0, 1, 0, 1);
  bench.send(0, 2, 0, 2);
  bench.run_to(us(20));
  ASSERT_EQ(bench.site.arrivals.size(), 1u);
  EXPECT_EQ(bench.site.arrivals.front().at, us(4));
}

/// Without memory both packets of a sum but the last pass unsummed; 8 Gb/s are 1 us a packet.
TEST(Aggregator, TheLineToTheSiteTakesOnePacketAtATime) {
  Aggregator::Config config;
  config.slots.memory = hw::Capacity::bytes(1);
  config.slots.overflow = Overflow::bypass;
  config.line = hw::Bandwidth::bits_per_second(8'000'000'000);
  Bench bench("bench", config);
  bench.open(0, {1, 2, 3}, 1);
  for (const std::uint32_t from : {1u, 2u, 3u}) bench.send(0, from, 0, 1);
  bench.run_to(us(20));
  ASSERT_EQ(bench.site.arrivals.size(), 3u);
  for (std::size_t k = 0; k < 3; ++k) EXPECT_EQ(bench.site.arrivals[k].at, us(static_cast<double>(k)));
  EXPECT_EQ(bench.aggregator->statistics().bypassed, 2u);
}

TEST(Aggregator, SilentSourceIsAskedAndThenNamed) {
  Aggregator::Config config = unlimited();
  config.timeout = us(100);
  config.retries = 2;
  Bench bench("bench", config);
  bench.open(0, {1, 4}, 1);
  bench.send(0, 1, 0, 1);
  bench.run_to(us(1000));
  EXPECT_TRUE(bench.site.arrivals.empty());
  ASSERT_EQ(bench.requests.arrivals.size(), 2u);
  for (const Sink::Arrival& request : bench.requests.arrivals)
    EXPECT_EQ(request.header.flow, flows.unicast(0, 4));
  ASSERT_EQ(bench.aggregator->silences().size(), 1u);
  EXPECT_EQ(bench.aggregator->silences().front().site, 4u);
  EXPECT_EQ(bench.aggregator->silences().front().at, us(300));
  ASSERT_EQ(bench.aggregator->waiting().size(), 1u);
  EXPECT_EQ(bench.aggregator->waiting().front().site, 4u);
}

TEST(Aggregator, APacketFromElsewhereIsAContradiction) {
  Bench bench("bench", unlimited());
  bench.open(0, {1, 2}, 1);
  EXPECT_THROW(bench.send(0, 3, 0, 1), hw::InternalError);
}

}  // namespace
}  // namespace fredsim::agg::test
