#pragma once

#include <memory>
#include <string>

#include "hw/core/quantity.h"
#include "hw/link/context.h"
#include "hw/link/fifo.h"
#include "hw/link/packet.h"

namespace fredsim::hw {

/// The buffer of one virtual channel at an input port. It counts a packet from the arrival of its head until
/// its tail has left. Credits keep it from overflowing; a sender that ignores them makes it throw
/// InternalError.
class VcBuffer {
 public:
  /// `path` names the buffer in results and waveforms, "switch.in3.vc_dp".
  VcBuffer(Context& context, const std::string& path, VirtualChannel vc, Capacity capacity);

  /// A packet whose head arrives at `at`, not before those already here.
  void push(Payload& payload, Time at) {
    const std::uint64_t bytes = header_of(payload).wire_bytes;
    if (bytes > free_bytes() || (!packets_.empty() && at < packets_.back().head_arrives)) refuse(bytes, at);
    bytes_ += bytes;
    packets_.push(Entry{PacketRef(payload), at});
    occupancy_.add(at, static_cast<std::int64_t>(bytes));
  }
  /// Takes out the first packet; its tail leaves at `tail_leaves`, and from then on its room is free.
  PacketRef pop(Time tail_leaves) {
    PacketRef packet = packets_.pop().packet;
    const std::uint64_t bytes = packet.header().wire_bytes;
    bytes_ -= bytes;
    occupancy_.add(tail_leaves, -static_cast<std::int64_t>(bytes));
    return packet;
  }

  bool empty() const { return packets_.empty(); }
  std::size_t packets() const { return packets_.size(); }
  const Payload& front() const { return *packets_.front().packet; }
  const PacketRef& front_packet() const { return packets_.front().packet; }
  Time front_arrival() const { return packets_.front().head_arrives; }

  /// Calls f with the header of each packet, the first one first.
  template <class F>
  void for_each(F f) const {
    for (const Entry& entry : packets_) f(entry.packet.header());
  }

  const std::string& name() const { return name_; }
  VirtualChannel vc() const { return vc_; }
  Capacity capacity() const { return capacity_; }
  std::uint64_t bytes() const { return bytes_; }
  std::uint64_t free_bytes() const { return capacity_.bytes() - bytes_; }
  ProbeStatistics occupancy(Time end) const { return occupancy_.statistics(end); }
  std::unique_ptr<TimeHistogram> histogram(Time end) const { return occupancy_.histogram(end); }

 private:
  struct Entry {
    PacketRef packet;
    Time head_arrives;
  };

  [[noreturn]] void refuse(std::uint64_t bytes, Time at) const;

  // What packets touch is together.
  Capacity capacity_;
  std::uint64_t bytes_ = 0;  ///< of packets in the queue, including those whose head is still on the way
  Fifo<Entry> packets_;
  Probe occupancy_;
  VirtualChannel vc_;
  std::string name_;
};

}  // namespace fredsim::hw
