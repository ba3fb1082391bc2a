#include "fpga_agg/wan/wan_site.h"

#include <fmt/format.h>

#include <algorithm>

#include "hw/core/error.h"
#include "hw/core/reduce.h"
#include "hw/link/sim_time.h"

namespace fredsim::agg {
WanSite::WanSite(sc_core::sc_module_name name, hw::Context& context, const std::string& path,
                 const Config& config)
    : sc_module(name),
      out("out", *this),
      in("in", *this),
      context_(context),
      config_(config),
      flows_(config.sites),
      serialization_(config.access),
      round_probe_(context.recorder,
                   hw::waveform_only(path + ".round", "", "round under way", hw::ProbeKind::number)),
      sent_probe_(context.recorder,
                  hw::waveform_only(path + ".sent", "", "packets of the round sent", hw::ProbeKind::number)),
      stall_probe_(
          context.recorder,
          hw::waveform_only(
              path + ".stall", "",
              "why nothing is sent: the window is closed, or all of the update has left and sums are missing",
              hw::ProbeKind::state)) {
  updates_.emplace_back();
  SC_HAS_PROCESS(WanSite);
  SC_METHOD(send);
  sensitive << send_event_;
  dont_initialize();
}

void WanSite::set_update(std::vector<std::byte> data) {
  updates_.back() = std::move(data);
}

void WanSite::begin(std::uint32_t number, const Round& round, hw::Time at) {
  if (number + 1 != updates_.size()) throw hw::InternalError("rounds of a site out of order");
  // What is sent again for a site that is not done yet is the update as it was before.
  updates_.push_back(updates_.back());
  Receiving receiving;
  receiving.peers = static_cast<std::uint32_t>(round.peers.size());
  receiving.open_packets = round.peers.empty() ? 0 : config_.packets;
  receiving.arrived.assign(receiving.open_packets, 0);
  receiving_.push_back(std::move(receiving));
  round_ = round;
  number_ = number;
  next_ = round.peers.empty() ? config_.packets : 0;
  next_peer_ = 0;
  stream_at_ = at;
  passed_.assign(round.peers.size(), 0);
  stalled_ = false;
  if (round_probe_.recorded()) round_probe_.set(std::max(at, hw::now()), number);
  send_event_.notify(hw::to_sc(std::max(at - hw::now(), hw::Time())));
}

std::uint64_t WanSite::allowed() const {
  if (round_.window == 0 || passed_.empty()) return config_.packets;
  return *std::min_element(passed_.begin(), passed_.end()) + round_.window;
}

/// Sends what is due. A train of packets is announced ahead where nothing can stop it: the stream is paced,
/// and what must be sent again can wait for its end.
void WanSite::send() {
  ++context_.kernel_events;
  const hw::Time now = hw::now();
  std::uint32_t sent = 0;
  for (;;) {
    if (sent_packets_ >= fails_after_) {
      if (silence_ == hw::Time::max()) return;
      silent_until_ = now + silence_;
      fails_after_ = ~std::uint64_t{0};
    }
    if (now < silent_until_) return send_event_.notify(hw::to_sc(silent_until_ - now));
    const hw::Time line = std::max(now, line_free_);
    if (!resends_.empty()) {
      if (line > now) return send_event_.notify(hw::to_sc(line - now));
      const Resend resend = resends_.front();
      resends_.pop_front();
      ++statistics_.resent;
      send_packet(resend.round, resend.packet, flows_.unicast(config_.site, resend.to), line);
      continue;
    }
    if (next_ >= config_.packets) return;
    if (next_ >= allowed()) {
      if (!stalled_) stalled_since_ = now;
      stalled_ = true;
      show_stall("window", now);
      return;
    }
    const hw::Time due = std::max(line, stream_at_);
    if (due > now && (sent == 0 || sent >= config_.train || round_.window > 0)) {
      return send_event_.notify(hw::to_sc(due - now));
    }
    const hw::FlowId flow = config_.multicast ? flows_.multicast(number_, config_.site)
                                              : flows_.unicast(config_.site, round_.peers[next_peer_]);
    send_packet(number_, next_, flow, due);
    ++sent;
    if (!config_.multicast && ++next_peer_ < round_.peers.size()) continue;
    next_peer_ = 0;
    ++next_;
    // From the time it was due, so that a late packet does not shift all that follow.
    stream_at_ += round_.interval;
    if (sent_probe_.recorded()) sent_probe_.set(due, static_cast<std::int64_t>(next_));
    // The last thing to do: the next round may begin in it.
    if (next_ == config_.packets) {
      if (receiving_.back().open_packets > 0) show_stall("sums missing", due);
      return check_done();
    }
  }
}

hw::Time WanSite::send_packet(std::uint32_t round, std::uint64_t packet, hw::FlowId flow, hw::Time at) {
  hw::PacketHeader header;
  header.flow = flow;
  header.operation = hw::OperationId(round);
  header.source = hw::NpuId(config_.site);
  header.dtype = config_.dtype;
  header.sequence = packet;
  header.injected = at;
  const std::uint32_t elements =
      packet + 1 == config_.packets ? config_.last_elements : config_.packet_elements;
  const auto bytes = static_cast<std::uint32_t>(elements * hw::size_of(config_.dtype));
  header.wire_bytes = bytes + context_.format.header;
  const std::uint64_t offset = packet * config_.packet_elements * hw::size_of(config_.dtype);
  const std::vector<std::byte>& data = updates_[round];
  const hw::PacketRef ref =
      context_.packets.make(header, offset, data.empty() ? nullptr : data.data() + offset, bytes);
  ++sent_packets_;
  line_free_ = at + serialization_.time_for(header.wire_bytes);
  statistics_.sent_bytes += header.wire_bytes;
  out.send(*ref, at);
  return line_free_;
}

void WanSite::packet_arrives(hw::PortId, hw::Payload& payload, hw::Time at) {
  in.credit(payload, at);
  const hw::PacketHeader& header = hw::header_of(payload);
  if (header.vc == hw::VirtualChannel::control) return hear(payload);
  if (header.operation.value + 1 != receiving_.size()) {
    throw hw::InternalError(fmt::format("{} at {}: a packet of round {}, which is not under way", name(),
                                        to_string(at), header.operation.value));
  }
  statistics_.received_bytes += header.wire_bytes;
  add(receiving_.back(), payload, at);
}

void WanSite::hear(const hw::Payload& payload) {
  const hw::PacketHeader& header = hw::header_of(payload);
  const std::uint32_t from = header.source.value;
  if (control_of(payload) == WanControl::resend) {
    resends_.push_back({header.operation.value, from, header.sequence});
  } else if (header.operation.value == number_) {
    const auto peer = std::find(round_.peers.begin(), round_.peers.end(), from);
    std::uint64_t& passed = passed_.at(static_cast<std::size_t>(peer - round_.peers.begin()));
    passed = std::max(passed, header.sequence);
    if (!stalled_ || next_ >= allowed()) return;
    stalled_ = false;
    statistics_.window_stall += hw::now() - stalled_since_;
    show_stall("idle", hw::now());
  } else {
    return;
  }
  send_event_.notify(hw::to_sc(std::max(line_free_ - hw::now(), hw::Time())));
}

void WanSite::add(Receiving& receiving, const hw::Payload& payload, hw::Time at) {
  const hw::PacketHeader& header = hw::header_of(payload);
  std::uint8_t& arrived = receiving.arrived.at(header.sequence);
  const bool sum = flows_.is_sum(header.flow);
  const std::uint32_t updates = sum ? flows_.updates_in(header.flow) : 1;
  if (arrived == closed || arrived >= receiving.peers) {
    throw hw::InternalError(fmt::format("{} at {}: packet {} of round {} is complete, and more of it came",
                                        name(), to_string(at), header.sequence, header.operation.value));
  }
  if (updates > 0 && payload.get_data_ptr() != nullptr) {
    std::byte* own = updates_[header.operation.value + 1].data() + payload.get_address();
    hw::reduce(header.dtype, header.op, own, hw::data_of(payload), own,
               payload.get_data_length() / hw::size_of(header.dtype));
  }
  arrived = static_cast<std::uint8_t>(arrived + updates);
  if (sum && flows_.is_closed(header.flow)) {
    ++statistics_.partial;
    arrived = closed;
  }
  receiving.last = std::max(receiving.last, at);
  if (arrived != closed && arrived < receiving.peers) return;
  if (--receiving.open_packets == 0) check_done();
}

void WanSite::show_stall(const char* cause, hw::Time at) {
  if (stall_probe_.recorded()) stall_probe_.set(at, stall_probe_.state(cause));
}

/// A round is over when all of it has arrived and all of the own update has left.
void WanSite::check_done() {
  Receiving& receiving = receiving_.back();
  if (receiving.open_packets > 0 || next_ < config_.packets) return;
  receiving.arrived = std::vector<std::uint8_t>();
  show_stall("idle", std::max(receiving.last, line_free_));
  round_done(number_, std::max(receiving.last, line_free_));
}

hw::PortStatus WanSite::port_status(hw::PortId) {
  hw::PortStatus status;
  status.credit_bytes.fill(hw::Capacity::unlimited().bytes());
  return status;
}

void WanSite::credit_returns(hw::PortId, hw::Payload&, hw::Time) {}

}  // namespace fredsim::agg
