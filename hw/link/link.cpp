#include "hw/link/link.h"

#include <algorithm>

namespace fredsim::hw {
namespace {

ProbeInfo waveform_only(std::string path, const char* unit, const char* meaning, ProbeKind kind) {
  ProbeInfo info;
  info.path = std::move(path);
  info.unit = unit;
  info.meaning = meaning;
  info.kind = kind;
  info.statistics = false;
  return info;
}

}  // namespace

Link::Link(sc_core::sc_module_name name, Context& context, const std::string& path, const LinkConfig& config)
    : sc_module(name),
      in("in", *this),
      out("out", *this),
      path_(path),
      config_(config),
      serialization_(config.bandwidth),
      busy_(context.recorder,
            waveform_only(path + ".busy", "", "a packet is entering the link", ProbeKind::flag)),
      sequence_(context.recorder, waveform_only(path + ".packet", "",
                                                "sequence number, in its flow, of the last packet to enter",
                                                ProbeKind::number)) {}

void Link::packet_arrives(PortId, Payload& payload, Time at) {
  const PacketHeader& header = header_of(payload);
  const Time duration = serialization_.time_for(header.wire_bytes);
  const bool control = header.vc == VirtualChannel::control;
  if (control) {
    ++traffic_.control_packets;
    traffic_.control_bytes += header.wire_bytes;
  } else {
    ++traffic_.packets;
    traffic_.bytes += header.wire_bytes;
  }
  busy_time_ += duration;
  last_tail_ = at + duration;
  const Time announced = now();
  while (!ahead_.empty() && ahead_.front().tail <= announced) ahead_.pop();
  if (at > announced) ahead_.push({at, last_tail_, header.wire_bytes, control});
  if (busy_.recorded()) {
    busy_.set(at, 1);
    busy_.set(at + duration, 0);
  }
  if (sequence_.recorded()) sequence_.set(at, static_cast<std::int64_t>(header.sequence));
  out.send(payload, at + config_.latency);
}

Link::Traffic Link::traffic(Time end) const {
  Traffic entered = traffic_;
  for (const Ahead& packet : ahead_) {
    if (packet.head < end) continue;
    --(packet.control ? entered.control_packets : entered.packets);
    (packet.control ? entered.control_bytes : entered.bytes) -= packet.bytes;
  }
  return entered;
}

Time Link::busy(Time end) const {
  Time after;  // what of them lies behind the end
  for (const Ahead& packet : ahead_) {
    if (packet.tail > end) after += packet.tail - std::max(packet.head, end);
  }
  const bool last_is_there = ahead_.empty() || ahead_.back().tail != last_tail_;
  if (last_is_there && last_tail_ > end) after += last_tail_ - end;
  return busy_time_ - after;
}

PortStatus Link::port_status(PortId) {
  return out.status();
}

void Link::credit_returns(PortId, Payload& payload, Time at) {
  in.credit(payload, at + config_.latency);
}

}  // namespace fredsim::hw
