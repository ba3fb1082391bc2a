#include "accel/npu/step_run.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "hw/core/error.h"
#include "hw/core/reduce.h"
#include "hw/link/sim_time.h"

namespace fredsim::accel {

StepRun::StepRun(std::uint32_t index, const Part& part, hw::NpuId npu, const NpuServices& services,
                 Host& host)
    : index_(index),
      part_(part),
      endpoint_(*part.endpoint),
      npu_(npu),
      services_(services),
      host_(host),
      receives_(endpoint_.steps->receives.size()),
      outgoing_(endpoint_.steps->to.size()),
      sends_left_(endpoint_.steps->sends.size()),
      receives_left_(endpoint_.steps->receives.size()) {
  for (std::size_t r = 0; r < receives_.size(); ++r) {
    const ReceiveStep& step = steps().receives[r];
    receives_[r].waits = step.waits;
    receives_[r].readers = step.readers;
    receives_[r].elements_left = step.elements.size();
  }
  first_packet_.resize(sends_left_);
  for (const SendStep& step : steps().sends) send_waits_.push_back(step.waits);
  for (std::size_t p = 0; p < outgoing_.size(); ++p) {
    const RankSteps::Peer& peer = steps().to[p];
    outgoing_[p].left = peer.steps.size();
    outgoing_[p].sequences.resize(part.sends[p].stripes);
    std::uint64_t packets = 0;
    for (const std::uint32_t send : peer.steps) {
      first_packet_[send] = packets;
      const std::uint64_t elements = steps().sends[send].elements.size();
      packets += packets_of(elements);
    }
  }
}

/// Of a message.
std::uint64_t StepRun::packets_of(std::uint64_t elements) const {
  return services_.context.format.trains_of_message(elements * part_.element_bytes, part_.element_bytes);
}

void StepRun::start() {
  started_ = true;
  for (std::uint32_t s = 0; s < send_waits_.size(); ++s) {
    if (send_waits_[s] == 0) send_ready(s);
  }
  for (std::uint32_t r = 0; r < receives_.size(); ++r) {
    Receive& receive = receives_[r];
    if (receive.waits > 0) continue;
    std::vector<Early> early;
    early.swap(receive.early);
    for (const Early& e : early) take(r, *e.packet, std::max(e.tail_at, hw::now()));
  }
}

void StepRun::send_ready(std::uint32_t send) {
  outgoing_[steps().sends[send].peer].ready.push(send);
}

bool StepRun::may_go(Outgoing& outgoing, hw::Time now, hw::Time& retry) {
  if (!outgoing.active && outgoing.ready.empty()) return false;
  if (outgoing.free_at <= now) return true;
  retry = std::min(retry, outgoing.free_at);
  return false;
}

hw::PacketRef StepRun::next_packet(hw::Time now, hw::Time& retry) {
  retry = hw::Time::max();
  if (!started_) return {};
  const auto peers = static_cast<std::uint32_t>(outgoing_.size());
  for (std::uint32_t i = 1; i <= peers; ++i) {
    const std::uint32_t peer = (last_peer_ + i) % peers;
    if (!may_go(outgoing_[peer], now, retry)) continue;
    last_peer_ = peer;
    return make_packet(peer, now);
  }
  return {};
}

hw::PacketRef StepRun::make_packet(std::uint32_t peer, hw::Time now) {
  Outgoing& outgoing = outgoing_[peer];
  if (!outgoing.active) {
    outgoing.active = true;
    outgoing.send = outgoing.ready.top();
    outgoing.ready.pop();
    outgoing.sent = 0;
  }
  const SendStep& step = steps().sends[outgoing.send];
  const SendStream& stream = part_.sends[peer];
  // Into packets of one size: behind a short one there would never be credit for as many full ones as fit.
  const hw::Range part = hw::shard(step.elements.size(), packets_of(step.elements.size()), outgoing.sent);
  const hw::Range elements{step.elements.begin + part.begin, step.elements.begin + part.end};
  const auto bytes = static_cast<std::uint32_t>(part.size() * part_.element_bytes);
  const std::uint64_t offset = (step.place + part.begin) * part_.element_bytes;
  const std::uint64_t packet = first_packet_[outgoing.send] + outgoing.sent;
  const auto stripe = static_cast<std::uint32_t>(packet % stream.stripes);

  hw::PacketHeader header;
  header.flow = hw::FlowId(stream.flow.value + stripe);
  header.operation = part_.operation;
  header.source = npu_;
  header.vc = part_.vc;
  header.dtype = part_.dtype;
  header.op = part_.op;
  header.sequence = outgoing.sequences[stripe]++;
  header.injected = now;
  if (part_.vc == hw::VirtualChannel::control) {
    header.wire_bytes = services_.context.format.control;
    finish_packet(peer, header.wire_bytes, now);
    return services_.context.packets.make(header, offset, nullptr, 0);
  }
  header.wire_bytes = services_.context.format.wire(bytes, part_.element_bytes);
  hw::PacketRef result;
  if (!services_.data) {
    result = services_.context.packets.make(header, offset, nullptr, bytes);
  } else if (step.from.size() == 1 && step.from.front().receive == Piece::own) {
    result = services_.context.packets.make(header, offset, own(elements), bytes);
  } else {
    result = services_.context.packets.make_with_room(header, offset, bytes);
    gather(step.from, elements, reinterpret_cast<std::byte*>(result->get_data_ptr()));
  }

  finish_packet(peer, header.wire_bytes, now);
  return result;
}

void StepRun::finish_packet(std::uint32_t peer, std::uint32_t wire_bytes, hw::Time now) {
  Outgoing& outgoing = outgoing_[peer];
  if (const hw::Bandwidth pace = endpoint_.pace[peer]; pace.bits_per_second() > 0) {
    // What a busy link has delayed may be made up for, a packet at most: more would fill the staging of the
    // way.
    const hw::Time span = pace.time_for(wire_bytes);
    outgoing.free_at = std::max(outgoing.free_at, now - span) + span;
  }
  const SendStep& step = steps().sends[outgoing.send];
  if (++outgoing.sent < packets_of(step.elements.size())) return;
  used(step.from);
  outgoing.active = false;
  --outgoing.left;
  --sends_left_;
}

void StepRun::packet_arrives(std::uint32_t peer, hw::Payload& payload, hw::Time tail_at) {
  const std::vector<std::uint32_t>& messages = steps().from[peer].steps;
  const std::uint64_t place = payload.get_address() / part_.element_bytes;
  const auto behind =
      std::upper_bound(messages.begin(), messages.end(), place,
                       [this](std::uint64_t at, std::uint32_t r) { return at < steps().receives[r].place; });
  const std::uint32_t r = *std::prev(behind);
  const bool adds = steps().receives[r].reduce;
  if (adds && (!started_ || receives_[r].waits > 0)) {
    receives_[r].early.push_back({hw::PacketRef(payload), tail_at});
  } else {
    take(r, payload, tail_at);
  }
}

/// Puts or adds a packet where it belongs.
void StepRun::take(std::uint32_t r, const hw::Payload& payload, hw::Time tail_at) {
  const ReceiveStep& step = steps().receives[r];
  Receive& receive = receives_[r];
  const std::uint32_t bytes = payload.get_data_length();
  const std::uint64_t into = payload.get_address() / part_.element_bytes - step.place;
  const std::uint64_t count = part_.vc == hw::VirtualChannel::control ? 1 : bytes / part_.element_bytes;
  const hw::Range elements{step.elements.begin + into, step.elements.begin + into + count};
  const std::byte* data = hw::data_of(payload);
  if (data && (step.reduce || receive.readers > 0)) {
    std::byte* place;
    if (receive.readers > 0) {
      if (receive.left.empty()) receive.left.resize(step.elements.size() * part_.element_bytes);
      place = receive.left.data() + into * part_.element_bytes;
    } else {
      scratch_.resize(std::max<std::size_t>(scratch_.size(), bytes));
      place = scratch_.data();
    }
    if (step.reduce) {
      gather(step.onto, elements, place);
      hw::reduce(part_.dtype, part_.op, place, data, place, count);
    } else {
      std::memcpy(place, data, bytes);
    }
    data = place;
  }
  const hw::Time done = step.reduce ? host_.added(part_.dtype, bytes, tail_at) : tail_at;
  receive.done = std::max(receive.done, done);
  if (step.result) {
    Delivery delivery;
    delivery.npu = npu_;
    delivery.operation = part_.operation;
    delivery.flow = Delivery::in_no_order;
    delivery.first_byte = (elements.begin - endpoint_.ends.result.begin) * part_.element_bytes;
    delivery.bytes = bytes;
    delivery.data = data;
    delivery.at = done;
    host_.result_delivered(delivery);
  }
  if (count > receive.elements_left) {
    throw hw::InternalError(fmt::format("npu{} at {}: more came than step {} of operation {} receives",
                                        npu_.value, to_string(hw::now()), r, part_.operation.value));
  }
  receive.elements_left -= count;
  if (receive.elements_left > 0) return;
  used(step.onto);
  host_.receive_ends(index_, r, receive.done);
}

bool StepRun::end_receive(std::uint32_t r, hw::Time now) {
  --receives_left_;
  bool ready = false;
  for (const std::uint32_t send : steps().receives[r].frees_sends) {
    if (--send_waits_[send] > 0) continue;
    // Until the start, start() looks for itself.
    if (started_) send_ready(send), ready = true;
  }
  for (const std::uint32_t later : steps().receives[r].frees_receives) {
    if (--receives_[later].waits > 0 || !started_) continue;
    std::vector<Early> early;
    early.swap(receives_[later].early);
    for (const Early& e : early) take(later, *e.packet, std::max(e.tail_at, now));
  }
  return ready;
}

void StepRun::gather(const std::vector<Piece>& pieces, hw::Range elements, std::byte* out) const {
  const std::size_t size = part_.element_bytes;
  auto piece = std::upper_bound(pieces.begin(), pieces.end(), elements.begin,
                                [](std::uint64_t at, const Piece& p) { return at < p.elements.end; });
  for (std::uint64_t at = elements.begin; at < elements.end; ++piece) {
    const hw::Range part{at, std::min(elements.end, piece->elements.end)};
    const std::byte* from = piece->receive == Piece::own
                                ? own(part)
                                : receives_[piece->receive].left.data() +
                                      (at - steps().receives[piece->receive].elements.begin) * size;
    std::memcpy(out, from, part.size() * size);
    out += part.size() * size;
    at = part.end;
  }
}

/// A step has used what is in `pieces`; what no other needs is given up.
void StepRun::used(const std::vector<Piece>& pieces) {
  for (auto piece = pieces.begin(); piece != pieces.end(); ++piece) {
    if (piece->receive == Piece::own) continue;
    const bool counted =
        std::any_of(pieces.begin(), piece, [&](const Piece& p) { return p.receive == piece->receive; });
    if (counted) continue;
    Receive& receive = receives_[piece->receive];
    if (--receive.readers == 0) receive.left = {};
  }
}

const std::byte* StepRun::own(hw::Range elements) const {
  return services_.source(part_, npu_, (elements.begin - endpoint_.ends.own.begin) * part_.element_bytes,
                          static_cast<std::uint32_t>(elements.size() * part_.element_bytes));
}

}  // namespace fredsim::accel
