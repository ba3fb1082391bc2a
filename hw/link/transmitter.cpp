#include "hw/link/transmitter.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "hw/core/error.h"
#include "hw/observe/timeline.h"

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
                         Bandwidth bandwidth, const Capacities& receiver, Client& client, PortId port,
                         Time lead)
    : sc_module(name),
      out("out", *this, port),
      context_(context),
      serialization_(bandwidth),
      client_(client),
      port_(port),
      lead_(lead),
      stall_probes_(context.recorder, path),
      path_(path) {
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

void Transmitter::enqueue(PacketRef packet, Time at) {
  const Time announced = now();
  if (at < announced + lead_) {
    throw InternalError(
        fmt::format("{} at {}: a packet that is here at {} should have been announced {} ahead", name(),
                    to_string(announced), to_string(at), to_string(lead_)));
  }
  const PacketHeader& header = packet.header();
  const std::size_t vc = index(header.vc);
  Channel& channel = channels_[vc];
  // Every path to here takes at least the lead, so nothing that is announced later, of whatever class, can be
  // here before this packet, and nothing that was announced before waits. Credits to come only add room. So
  // what happens at `at` is certain now, and takes no event.
  if (at > announced && at == announced + lead_ && waiting_ == 0 && link_free_ <= at &&
      credit_from(channel, header.wire_bytes) <= at) {
    send(channel, *packet, at);
    return schedule();
  }
  const bool first = channel.queue.empty() || at < channel.queue.front().since;
  if (first && channel.stall != 0) context_.stalls->ends(std::exchange(channel.stall, 0), announced);
  channel.queue.push_in_order(Waiting{std::move(packet), at, at > announced ? 0 : sc_core::sc_delta_count()},
                              [](const Waiting& a, const Waiting& b) { return a.since < b.since; });
  waiting_ |= 1u << vc;
  if (context_.stalls) watch(channel);
  if (first && !sending_) schedule();
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
  for (Peak& ahead : channel.peaks_ahead) {
    if (ahead.at >= at) ahead.bytes -= header.wire_bytes;
  }
  if (context_.recorder.recording()) show_credit(header.vc, at, header.wire_bytes);
  if (waits(header.vc)) schedule();
}

void Transmitter::serve() {
  ++context_.kernel_events;
  const Time at = now();
  for (VirtualChannel vc : by_priority) {
    if (!waits(vc)) continue;
    const Channel& channel = channels_[index(vc)];
    if (goes_at(channel) > at) continue;
    // The kernel runs whoever else enqueues in this delta cycle before or after this. All of that counts from
    // the next one on.
    const Waiting& first = channel.queue.front();
    if (first.since == at && first.announced == sc_core::sc_delta_count()) continue;
    send_first(vc, at);
    break;
  }
  schedule();
}

/// Wakes when the next packet can go, by what is known now.
void Transmitter::schedule() {
  if (context_.recorder.recording()) show_stalls();
  if (waiting_ == 0) return;
  Time next = Time::max();
  for (const VirtualChannel vc : by_priority) {
    if (waits(vc)) next = std::min(next, goes_at(channels_[index(vc)]));
  }
  if (next != Time::max()) wake(next);
}

/// What the first packet of each channel waits for from now on, by what is known now: the link, then credit.
void Transmitter::show_stalls() {
  const Time at = now();
  for (const VirtualChannel vc : by_priority) {
    if (!waits(vc)) {
      stall_probes_.set(vc, at, StallProbes::State::none);
      continue;
    }
    const Channel& channel = channels_[index(vc)];
    const Waiting& first = channel.queue.front();
    const Time since = std::max(first.since, at);
    const Time goes = goes_at(channel);
    if (since > at) stall_probes_.set(vc, at, StallProbes::State::none);
    if (link_free_ > since) stall_probes_.set(vc, since, StallProbes::State::link_busy);
    const Time here = std::max(since, link_free_);
    if (goes > here) stall_probes_.set(vc, here, StallProbes::State::no_credit);
  }
}

Transmitter::Stalled Transmitter::stalled(Time end) const {
  Stalled result = stalled_;
  for (const VirtualChannel vc : by_priority) {
    if (!waits(vc)) continue;
    const Time since = channels_[index(vc)].queue.front().since;
    if (since >= end) continue;
    const Time link_wait = std::max(Time(), std::min(end, link_free_) - since);
    result.link_busy += link_wait;
    result.no_credit += end - since - link_wait;
  }
  return result;
}

/// When the first packet of a channel can go if no other does; Time::max() if its credit is not announced
/// yet.
Time Transmitter::goes_at(const Channel& channel) const {
  const Waiting& first = channel.queue.front();
  const Time here = std::max(first.since, link_free_);
  return std::max(here, credit_from(channel, first.packet.header().wire_bytes));
}

/// From when on there is room for `bytes` at the receiver.
Time Transmitter::credit_from(const Channel& channel, std::uint64_t bytes) {
  std::uint64_t room = channel.receiver.bytes() - channel.outstanding;
  if (room >= bytes) return Time();
  for (const Credit& credit : channel.returning) {
    room += credit.bytes;
    if (room >= bytes) return credit.from;
  }
  return Time::max();
}

void Transmitter::send_first(VirtualChannel vc, Time at) {
  Channel& channel = channels_[index(vc)];
  const Waiting first = channel.queue.pop();
  if (channel.queue.empty()) waiting_ &= ~(1u << index(vc));
  const Time link_wait = std::max(Time(), std::min(at, link_free_) - first.since);
  const Time credit_wait = at - first.since - link_wait;
  if (channel.stall != 0) {
    context_.stalls->ends(std::exchange(channel.stall, 0), at);
    watch(channel);
  }
  stalled_.link_busy += link_wait;
  stalled_.no_credit += credit_wait;
  if (context_.timeline) {
    const Time here = first.since + link_wait;
    context_.timeline->stall(path_, to_string(vc), "link_busy", first.since, here);
    context_.timeline->stall(path_, to_string(vc), "no_credit", here, at);
  }
  context_.flows[first.packet.header().flow].queued += at - first.since;
  send(channel, *first.packet, at);
}

void Transmitter::send(Channel& channel, Payload& payload, Time at) {
  const PacketHeader& header = header_of(payload);
  while (!channel.returning.empty() && channel.returning.front().from <= at) {
    channel.outstanding -= channel.returning.pop().bytes;
  }
  channel.outstanding += header.wire_bytes;
  if (channel.outstanding > channel.peak_outstanding) note_peak(channel, at);
  if (context_.recorder.recording()) show_credit(header.vc, at, -std::int64_t{header.wire_bytes});
  link_free_ = at + serialization_.time_for(header.wire_bytes);
  out.send(payload, at);
  sending_ = true;
  client_.departed(port_, payload, link_free_);
  sending_ = false;
}

void Transmitter::show_credit(VirtualChannel vc, Time at, std::int64_t more) {
  Probe& credits = credits_[index(vc)];
  if (credits.recorded() && !channels_[index(vc)].receiver.is_unlimited()) credits.add(at, more);
}

/// A credit for a time before `at` may still be announced, and the run may end before: what was sent ahead
/// counts when its time has come.
void Transmitter::note_peak(Channel& channel, Time at) {
  while (!channel.peaks_ahead.empty() && channel.peaks_ahead.front().at < now()) {
    channel.peak_outstanding = std::max(channel.peak_outstanding, channel.peaks_ahead.pop().bytes);
  }
  if (at > now()) {
    channel.peaks_ahead.push(Peak{at, channel.outstanding});
  } else {
    channel.peak_outstanding = std::max(channel.peak_outstanding, channel.outstanding);
  }
}

std::uint64_t Transmitter::peak_outstanding(VirtualChannel vc, Time end) const {
  const Channel& channel = channels_[index(vc)];
  std::uint64_t peak = channel.peak_outstanding;
  for (const Peak& ahead : channel.peaks_ahead) {
    if (ahead.at < end) peak = std::max(peak, ahead.bytes);
  }
  return peak;
}

void Transmitter::wake(Time at) {
  serve_event_.notify(to_sc(std::max(at - now(), Time())));
}

std::string Transmitter::waits_for() const {
  for (const VirtualChannel vc : by_priority) {
    if (std::string reason = waits_for(vc); !reason.empty()) return reason;
  }
  return {};
}

std::string Transmitter::waits_for(VirtualChannel vc) const {
  const Channel& channel = channels_[index(vc)];
  if (channel.queue.empty()) return {};
  const PacketHeader& header = channel.queue.front().packet.header();
  std::uint64_t credit = channel.receiver.bytes() - channel.outstanding;
  for (const Credit& returned : channel.returning) {
    if (returned.from <= now()) credit += returned.bytes;
  }
  if (credit >= header.wire_bytes) return {};
  return fmt::format("credit for a packet of {} on vc {} ({} left)", bytes_to_string(header.wire_bytes),
                     to_string(vc), bytes_to_string(credit));
}

}  // namespace fredsim::hw
