#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <functional>
#include <systemc>
#include <vector>

#include "hw/link/context.h"
#include "hw/link/link.h"
#include "hw/link/protocol.h"
#include "hw/link/sim_time.h"
#include "hw/link/transmitter.h"
#include "hw/observe/recorder.h"

namespace fredsim::test {

/// Of an NPU's links by default.
inline const hw::Bandwidth line_rate = hw::Bandwidth::bytes_per_second(3'000'000'000'000);
inline const hw::Bandwidth packet_a_nanosecond = hw::Bandwidth::bytes_per_second(4'096'000'000'000);

inline hw::Time ns(double t) {
  return hw::Time::fs(static_cast<std::int64_t>(t * 1e6));
}

/// What all modules of one test's simulation share. Make it before any module.
struct Bench {
  explicit Bench(std::size_t flow_count = 1024) : flows(flow_count) {}

  hw::Recorder recorder{[] { return hw::now(); }};
  hw::PacketPool packets{4096};
  hw::FlowTable flows;
  hw::Context context{recorder, packets, flows, hw::PacketFormat{}};

  /// A packet without data, full unless `wire_bytes` says otherwise.
  hw::PacketRef packet(std::uint32_t flow, std::uint64_t sequence,
                       hw::VirtualChannel vc = hw::VirtualChannel::dp, std::uint32_t wire_bytes = 4096) {
    hw::PacketHeader header;
    header.flow = hw::FlowId(flow);
    header.vc = vc;
    header.sequence = sequence;
    header.wire_bytes = wire_bytes;
    return packets.make(header, 0, nullptr, 0);
  }
};

/// Runs `body` as a testbench thread from time 0 on, and the simulation until nothing happens any more.
inline void simulate(std::function<void()> body) {
  sc_core::sc_spawn(std::move(body));
  sc_core::sc_start();
}

/// For testbench threads.
inline void wait_until(hw::Time at) {
  if (at > hw::now()) sc_core::wait(hw::to_sc(at - hw::now()));
}

inline hw::Capacities capacities(hw::Capacity each) {
  return {each, each, each, each};
}

/// Room for `n` full packets on every channel.
inline hw::Capacities packets_of_room(std::uint64_t n) {
  return capacities(hw::Capacity::bytes(n * 4096));
}

/// The receiving end of a link: notes what arrives and returns the credit of each packet `hold` after its
/// tail has arrived (at once by default), as a buffer does that drains at the link's rate.
class Receiver : public sc_core::sc_module, private hw::PacketSink {
 public:
  struct Arrival {
    hw::PacketHeader header;
    hw::Time head;
    hw::Time tail;
    hw::PacketRef packet;  ///< kept only when `keep` is set
  };

  hw::PacketTargetSocket in;
  std::vector<Arrival> arrivals;
  /// How long the room of a packet stays taken after its tail; asked once a packet.
  std::function<hw::Time(const hw::PacketHeader&)> hold = [](const hw::PacketHeader&) { return hw::Time(); };
  bool credits = true;  ///< false: keeps the room of everything for ever
  bool keep = false;
  hw::PortStatus status;

  Receiver(sc_core::sc_module_name name, hw::Bandwidth bandwidth)
      : sc_module(name), in("in", *this), bandwidth_(bandwidth) {}

 private:
  void packet_arrives(hw::PortId, hw::Payload& payload, hw::Time at) override {
    const hw::PacketHeader& header = hw::header_of(payload);
    const hw::Time tail = at + bandwidth_.time_for(header.wire_bytes);
    arrivals.push_back({header, at, tail, keep ? hw::PacketRef(payload) : hw::PacketRef()});
    if (!credits) return;
    const hw::PacketRef held(payload);
    // Room comes free in the order of arrival on each channel, as in a FIFO.
    hw::Time& free_from = free_from_[hw::index(header.vc)];
    free_from = std::max(free_from, tail + hold(header));
    in.credit(payload, free_from);
  }
  hw::PortStatus port_status(hw::PortId) override { return status; }

  hw::Bandwidth bandwidth_;
  std::array<hw::Time, hw::virtual_channels> free_from_{};
};

/// The sending end of a link, and when each packet departed.
class Sender : public sc_core::sc_module, private hw::Transmitter::Client {
 public:
  struct Departure {
    hw::PacketHeader header;
    hw::Time head;
    hw::Time tail;
  };

  hw::Transmitter transmitter;
  std::vector<Departure> departures;

  Sender(sc_core::sc_module_name name, Bench& bench, hw::Bandwidth bandwidth, const hw::Capacities& receiver,
         hw::Time lead = hw::Time())
      : sc_module(name),
        transmitter("transmitter", bench.context, basename(), bandwidth, receiver, *this, hw::PortId{}, lead),
        bandwidth_(bandwidth) {}

 private:
  void departed(hw::PortId, const hw::Payload& payload, hw::Time tail_leaves) override {
    const hw::PacketHeader& header = hw::header_of(payload);
    departures.push_back({header, tail_leaves - bandwidth_.time_for(header.wire_bytes), tail_leaves});
  }

  hw::Bandwidth bandwidth_;
};

}  // namespace fredsim::test
