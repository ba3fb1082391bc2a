#include "hw/link/link.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace fredsim::hw {
Link::Link(sc_core::sc_module_name name, Context& context, const std::string& path, const LinkConfig& config)
    : sc_module(name),
      in("in", *this),
      out("out", *this),
      context_(context),
      path_(path),
      config_(config),
      serialization_(config.bandwidth),
      busy_(context.recorder,
            waveform_only(path + ".busy", "", "a packet is entering the link", ProbeKind::flag)),
      sequence_(context.recorder, waveform_only(path + ".packet", "",
                                                "sequence number, in its flow, of the last packet to enter",
                                                ProbeKind::number)) {}

void Link::impair(LinkFaultPlan plan, std::uint64_t seed) {
  if (plan.empty()) return;
  faults_.emplace(std::move(plan), seed, basename());
  ProbeInfo info = waveform_only(path_ + ".lost", "packets", "damaged or dropped so far", ProbeKind::level);
  lost_.emplace(context_.recorder, info);
}

void Link::resend(Link& back, std::uint64_t attempts) {
  back_ = &back;
  LinkRetryConfig retry;
  retry.bandwidth = config_.bandwidth;
  retry.latency = config_.latency;
  retry.back_latency = back.config_.latency;
  retry.timeout =
      (config_.latency + back.config_.latency + serialization_.time_for(context_.format.bytes)) * 2;
  retry.attempts = attempts;
  retry_ = std::make_unique<LinkRetry>(fmt::format("{}_retry", basename()).c_str(), context_, path_, retry,
                                       static_cast<LinkRetry::Wire&>(*this));
}

void Link::packet_arrives(PortId, Payload& payload, Time at) {
  if (retry_) return retry_->take(payload, at);
  if (faults_) return pass_or_lose(payload, at);
  enter(header_of(payload), at);
  out.send(payload, at + config_.latency);
}

/// Counts and shows a packet, and says what becomes of it.
Fate Link::enter(const PacketHeader& header, Time at) {
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
  Fate fate = Fate::delivered;
  if (faults_) fate = faults_->packet(header, at, last_tail_ + config_.latency);
  ++(fate == Fate::delivered ? traffic_.delivered
     : fate == Fate::damaged ? traffic_.damaged
                             : traffic_.dropped);
  const Time announced = now();
  while (!ahead_.empty() && ahead_.front().tail <= announced) ahead_.pop();
  if (at > announced) ahead_.push({at, last_tail_, header.wire_bytes, control, fate});
  if (busy_.recorded()) {
    busy_.set(at, 1);
    busy_.set(at + duration, 0);
  }
  if (sequence_.recorded()) sequence_.set(at, static_cast<std::int64_t>(header.sequence));
  if (fate != Fate::delivered && lost_->recorded()) lost_->add(last_tail_, 1);
  return fate;
}

void Link::pass_or_lose(Payload& payload, Time at) {
  const PacketHeader& header = header_of(payload);
  const Fate fate = enter(header, at);
  if (fate == Fate::delivered) return out.send(payload, at + config_.latency);
  if (fate == Fate::dropped) return in.credit(payload, last_tail_ + config_.latency * 2);
  PacketHeader marked = header;
  marked.damaged = true;
  const PacketRef sent(payload);
  damaged_.push_back({sent, context_.packets.make_over(marked, sent)});
  // The receiver may credit it before the call returns.
  const PacketRef arrives = damaged_.back().arrives;
  out.send(*arrives, at + config_.latency);
}

Fate Link::cross(const Payload& payload, Time at, bool) {
  return enter(header_of(payload), at);
}

void Link::deliver(Payload& payload, Time at) {
  out.send(payload, at + config_.latency);
}

Fate Link::answer(Answer answer, std::uint32_t bytes, Time at) {
  if (!back_->faults_) return Fate::delivered;
  return back_->faults_->answer(answer, bytes, at, at + back_->config_.latency);
}

Link::Traffic Link::traffic(Time end) const {
  Traffic entered = traffic_;
  for (const Ahead& packet : ahead_) {
    if (packet.head < end) continue;
    --(packet.control ? entered.control_packets : entered.packets);
    (packet.control ? entered.control_bytes : entered.bytes) -= packet.bytes;
    --(packet.fate == Fate::delivered ? entered.delivered
       : packet.fate == Fate::damaged ? entered.damaged
                                      : entered.dropped);
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
  if (header_of(payload).damaged) {
    const auto found = std::find_if(damaged_.begin(), damaged_.end(),
                                    [&payload](const Damaged& d) { return &*d.arrives == &payload; });
    if (found != damaged_.end()) {
      const PacketRef sent = found->sent;
      damaged_.erase(found);
      return in.credit(*sent, at + config_.latency);
    }
  }
  in.credit(payload, at + config_.latency);
}

}  // namespace fredsim::hw
