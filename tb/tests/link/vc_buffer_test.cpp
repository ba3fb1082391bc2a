#include "hw/link/vc_buffer.h"

#include <gtest/gtest.h>

#include "hw/core/error.h"
#include "tb/tests/link/bench.h"

namespace fredsim::test {
namespace {

using hw::Capacity;
using hw::Time;
using hw::VirtualChannel;

TEST(VcBuffer, GivesPacketsInOrderOfArrival) {
  Bench bench;
  hw::VcBuffer buffer(bench.context, "in0.vc_dp", VirtualChannel::dp, Capacity::bytes(3 * 4096));
  for (std::uint64_t k = 0; k < 3; ++k) buffer.push(*bench.packet(0, k), ns(2.0 * static_cast<double>(k)));
  EXPECT_EQ(buffer.packets(), 3u);
  EXPECT_EQ(buffer.free_bytes(), 0u);
  for (std::uint64_t k = 0; k < 3; ++k) {
    EXPECT_EQ(buffer.front_arrival(), ns(2.0 * static_cast<double>(k)));
    EXPECT_EQ(hw::header_of(buffer.front()).sequence, k);
    EXPECT_EQ(buffer.pop(ns(10)).header().sequence, k);
  }
  EXPECT_TRUE(buffer.empty());
  EXPECT_EQ(buffer.bytes(), 0u);
}

TEST(VcBuffer, HoldsItsPackets) {
  Bench bench;
  hw::VcBuffer buffer(bench.context, "in0.vc_dp", VirtualChannel::dp, Capacity::bytes(4096));
  buffer.push(*bench.packet(0, 0), Time());
  EXPECT_EQ(bench.packets.in_flight(), 1u);  // nobody else has a reference
  buffer.pop(Time());
  EXPECT_EQ(bench.packets.in_flight(), 0u);
}

TEST(VcBuffer, RefusesWhatItHasNoRoomFor) {
  Bench bench;
  hw::VcBuffer buffer(bench.context, "switch.in3.vc_dp", VirtualChannel::dp, Capacity::bytes(2 * 4096 - 1));
  buffer.push(*bench.packet(0, 0), ns(1));
  try {
    buffer.push(*bench.packet(0, 1), ns(2.5));
    FAIL() << "took more than it has room for";
  } catch (const hw::InternalError& error) {
    const std::string message = error.what();
    EXPECT_NE(message.find("switch.in3.vc_dp at 2.5 ns"), std::string::npos) << message;
    EXPECT_NE(message.find("without credit"), std::string::npos) << message;
  }
  EXPECT_EQ(buffer.packets(), 1u);
}

TEST(VcBuffer, UnlimitedTakesEverything) {
  Bench bench;
  hw::VcBuffer buffer(bench.context, "in0.vc_dp", VirtualChannel::dp, Capacity::unlimited());
  for (std::uint64_t k = 0; k < 1000; ++k) buffer.push(*bench.packet(0, k), Time());
  EXPECT_EQ(buffer.bytes(), 1000u * 4096);
}

TEST(VcBuffer, RefusesAPacketThatOvertakes) {
  Bench bench;
  hw::VcBuffer buffer(bench.context, "in0.vc_dp", VirtualChannel::dp, Capacity::unlimited());
  buffer.push(*bench.packet(0, 0), ns(2));
  buffer.push(*bench.packet(0, 1), ns(2));
  EXPECT_THROW(buffer.push(*bench.packet(0, 2), ns(1)), hw::InternalError);
}

TEST(VcBuffer, OccupancyCountsFromHeadToTail) {
  // Two packets: [0, 30) and [10, 20) ns. Full (no room for a third) in [10, 20).
  Bench bench;
  hw::VcBuffer buffer(bench.context, "in0.vc_dp", VirtualChannel::dp, Capacity::bytes(2 * 4096));
  simulate([&] {
    buffer.push(*bench.packet(0, 0), Time());
    buffer.push(*bench.packet(0, 1), ns(10));
    buffer.pop(ns(30));
    buffer.pop(ns(20));
    wait_until(ns(40));
  });
  const hw::ProbeStatistics occupancy = buffer.occupancy(ns(40));
  EXPECT_EQ(occupancy.value, 0);
  EXPECT_EQ(occupancy.peak, 2 * 4096);
  EXPECT_EQ(occupancy.full, ns(10));
  EXPECT_DOUBLE_EQ(occupancy.mean, 4096.0 * (30 + 10) / 40);
}

}  // namespace
}  // namespace fredsim::test
