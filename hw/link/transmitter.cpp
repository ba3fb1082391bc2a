#include "hw/link/transmitter.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace fredsim::hw {
namespace {

constexpr std::array<VirtualChannel, virtual_channels> by_priority = {
    VirtualChannel::control, VirtualChannel::mp, VirtualChannel::pp, VirtualChannel::dp};

ProbeInfo credit_probe(const std::string& path, VirtualChannel vc, Capacity receiver) {
  ProbeInfo info;
  info.path = fmt::format("{}.vc_{}.credit", path, to_string(vc));
  info.unit = "B";
  info.meaning = "room promised by the receiver and not yet used";
  info.kind = ProbeKind::level;
  info.statistics = false;
  info.initial = receiver.is_unlimited() ? 0 : static_cast<std::int64_t>(receiver.bytes());
  return info;
}

}  // namespace

Transmitter::Transmitter(sc_core::sc_module_name name, Context& context, const std::string& path,
                         Bandwidth bandwidth, const Capacities& receiver, Client& client, PortId port)
    : sc_module(name),
      out("out", *this, port),
      context_(context),
      serialization_(bandwidth),
      client_(client),
      port_(port) {
  credits_.reserve(virtual_channels);
  for (std::size_t vc = 0; vc < virtual_channels; ++vc) {
    channels_[vc].receiver = receiver[vc];
    credits_.emplace_back(context.recorder,
                          credit_probe(path, static_cast<VirtualChannel>(vc), receiver[vc]));
  }
  SC_HAS_PROCESS(Transmitter);
  SC_METHOD(serve);
  sensitive << serve_event_;
  dont_initialize();
}

void Transmitter::enqueue(PacketRef packet) {
  Channel& channel = channels_[index(packet.header().vc)];
  channel.queue.push(Waiting{std::move(packet), now()});
  ++waiting_;
  if (!sending_) wake(std::max(now(), link_free_));
  if (context_.stalls) watch(channel);
}

void Transmitter::watch(Channel& channel) {
  if (!channel.queue.empty() && channel.stall == 0) {
    channel.stall = context_.stalls->begins(channel.queue.front().since);
  }
}

void Transmitter::credit_returns(PortId, Payload& payload, Time at) {
  const PacketHeader& header = header_of(payload);
  Channel& channel = channels_[index(header.vc)];
  channel.returning.push_in_order(Credit{at, header.wire_bytes},
                                  [](const Credit& a, const Credit& b) { return a.from < b.from; });
  Probe& credits = credits_[index(header.vc)];
  if (credits.recorded() && !channel.receiver.is_unlimited()) credits.add(at, header.wire_bytes);
  if (!channel.queue.empty()) wake(std::max(at, link_free_));
}

void Transmitter::serve() {
  ++context_.kernel_events;
  // Whoever enqueues at this same instant must have done so before a packet is chosen: the kernel may run
  // them before or after this, and the choice must not depend on it.
  settled_ = !settled_;
  if (settled_) return serve_event_.notify(sc_core::SC_ZERO_TIME);
  send_what_can();
}

void Transmitter::send_what_can() {
  const Time at = now();
  if (waiting_ == 0) return;
  if (at < link_free_) return wake(link_free_);
  for (VirtualChannel vc : by_priority) {
    Channel& channel = channels_[index(vc)];
    if (channel.queue.empty()) continue;
    if (has_credit(channel, channel.queue.front().packet.header().wire_bytes, at)) {
      send(channel);
      if (waiting_ > 0) wake(link_free_);
      return;
    }
    if (!channel.returning.empty()) wake(channel.returning.front().from);
  }
}

bool Transmitter::has_credit(Channel& channel, std::uint64_t bytes, Time at) {
  while (!channel.returning.empty() && channel.returning.front().from <= at) {
    channel.outstanding -= channel.returning.pop().bytes;
  }
  return channel.receiver.bytes() - channel.outstanding >= bytes;
}

void Transmitter::send(Channel& channel) {
  const Time at = now();
  const Waiting waiting = channel.queue.pop();
  --waiting_;
  Payload& payload = *waiting.packet;
  const PacketHeader& header = header_of(payload);

  const Time link_wait = std::max(Time(), std::min(at, link_free_) - waiting.since);
  const Time credit_wait = at - waiting.since - link_wait;
  if (channel.stall != 0) {
    context_.stalls->ends(std::exchange(channel.stall, 0), at);
    watch(channel);
  }
  stalled_link_busy_ += link_wait;
  stalled_no_credit_ += credit_wait;
  context_.flows[header.flow].queued += at - waiting.since;

  channel.outstanding += header.wire_bytes;
  channel.peak_outstanding = std::max(channel.peak_outstanding, channel.outstanding);
  Probe& credits = credits_[index(header.vc)];
  if (credits.recorded() && !channel.receiver.is_unlimited()) {
    credits.add(at, -static_cast<std::int64_t>(header.wire_bytes));
  }
  link_free_ = at + serialization_.time_for(header.wire_bytes);
  out.send(payload, at);
  sending_ = true;
  client_.departed(port_, payload, link_free_);
  sending_ = false;
}

void Transmitter::wake(Time at) {
  if (settled_) return;  // the choice is about to be made
  serve_event_.notify(to_sc(at - now()));
}

std::string Transmitter::waits_for() const {
  for (VirtualChannel vc : by_priority) {
    const Channel& channel = channels_[index(vc)];
    if (channel.queue.empty()) continue;
    const PacketHeader& header = channel.queue.front().packet.header();
    const std::uint64_t credit = channel.receiver.bytes() - channel.outstanding;
    if (credit < header.wire_bytes) {
      return fmt::format("credit for a packet of {} on vc {} ({} left)", bytes_to_string(header.wire_bytes),
                         to_string(vc), bytes_to_string(credit));
    }
  }
  return {};
}

}  // namespace fredsim::hw
