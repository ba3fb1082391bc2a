// A program of its own, since it counts every allocation of the process: once warmed up, packets cross links
// and buffers without any.
#include <gtest/gtest.h>

#include "hw/link/vc_buffer.h"
#include "tb/bench/allocations.h"
#include "tb/tests/link/bench.h"

namespace fredsim::test {
namespace {

using hw::VirtualChannel;
using tb::bench::allocations;

const hw::Bandwidth bandwidth = hw::Bandwidth::bytes_per_second(3'000'000'000'000);

/// A buffer that drains at the link's rate and returns the credits, without a note of what came.
class Drain : public sc_core::sc_module, private hw::PacketSink {
 public:
  hw::PacketTargetSocket in;
  std::uint64_t packets = 0;

  Drain(sc_core::sc_module_name name, Bench& bench, hw::Capacity room)
      : sc_module(name), in("in", *this), buffer_(bench.context, "drain.vc_dp", VirtualChannel::dp, room) {}

 private:
  void packet_arrives(hw::PortId, hw::Payload& payload, hw::Time at) override {
    ++packets;
    buffer_.push(payload, at);
    const hw::Time tail = at + bandwidth.time_for(4096);
    in.credit(*buffer_.pop(tail), tail);
  }
  hw::PortStatus port_status(hw::PortId) override { return {}; }

  hw::VcBuffer buffer_;
};

/// Makes the next packet when one departs.
class Source : public sc_core::sc_module, private hw::Transmitter::Client {
 public:
  hw::Transmitter transmitter;

  Source(sc_core::sc_module_name name, Bench& bench, const hw::Capacities& room)
      : sc_module(name),
        transmitter("transmitter", bench.context, "source", bandwidth, room, *this),
        bench_(bench) {}
  void make_next() {
    hw::PacketHeader header;
    header.wire_bytes = 4096;
    header.sequence = next_++;
    transmitter.enqueue(bench_.packets.make_with_room(header, 0, 4090));
  }

 private:
  void departed(hw::PortId, const hw::Payload&, hw::Time) override { make_next(); }

  Bench& bench_;
  std::uint64_t next_ = 0;
};

TEST(Allocation, NoneByPacketOnceWarmedUp) {
  Bench bench;
  const hw::Capacity room = hw::Capacity::bytes(6 * 4096);
  Source source("source", bench, capacities(room));
  hw::Link link("link", bench.context, "link", {bandwidth, ns(3.3)});
  Drain drain("drain", bench, room);
  source.transmitter.out.bind(link.in);
  link.out.bind(drain.in);
  sc_core::sc_spawn([&] { source.make_next(); });

  sc_core::sc_start(hw::to_sc(ns(10'000)));
  const std::uint64_t warm_packets = drain.packets;
  const std::uint64_t warm_allocations = allocations();
  const std::size_t warm_payloads = bench.packets.allocated();
  sc_core::sc_start(hw::to_sc(ns(1'000'000)));
  EXPECT_GT(drain.packets - warm_packets, 700'000u);
  EXPECT_EQ(bench.packets.allocated(), warm_payloads);
  EXPECT_LE(allocations() - warm_allocations, 16u);  // what starting the kernel again takes
}

}  // namespace
}  // namespace fredsim::test
