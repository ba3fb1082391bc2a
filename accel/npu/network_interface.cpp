#include "accel/npu/network_interface.h"

#include <fmt/format.h>

#include <algorithm>

#include "hw/core/error.h"
#include "hw/observe/timeline.h"

namespace fredsim::accel {
namespace {

std::uint32_t unit_of(const SendStream& stream, const Part& part, const hw::PacketFormat& format) {
  return stream.unit != 0 ? stream.unit : format.payload(part.element_bytes);
}

}  // namespace

NetworkInterface::NetworkInterface(sc_core::sc_module_name name, const NpuConfig& config,
                                   const Program& program, const NpuServices& services, Listener& listener)
    : sc_module(name),
      transmitter("transmitter", services.context, config.path, config.bandwidth, config.receiver, *this),
      in("in", *this),
      config_(config),
      program_(program),
      services_(services),
      listener_(listener),
      serialization_(config.bandwidth),
      ready_(program.parts.size()),
      open_streams_(program.parts.size()),
      received_at_(program.parts.size()) {
  SC_HAS_PROCESS(NetworkInterface);
  SC_METHOD(inject_paced);
  sensitive << pace_event_;
  dont_initialize();
  buffers_.reserve(hw::virtual_channels);
  for (std::size_t vc = 0; vc < hw::virtual_channels; ++vc) {
    const auto channel = static_cast<hw::VirtualChannel>(vc);
    buffers_.emplace_back(services.context, fmt::format("{}.in.vc_{}", config.path, to_string(channel)),
                          channel, config.buffers[vc]);
  }
  for (std::uint32_t p = 0; p < program.parts.size(); ++p) {
    const Part& part = program.parts[p];
    if (program.in_order && !part.sends.empty()) channels_[hw::index(part.vc)].parts.push_back(p);
    if (part.endpoint && !steps_) {
      StepEngine::Listener& self = *this;
      steps_ = std::make_unique<StepEngine>("steps", config, program, services_, self);
    }
    open_streams_[p] = static_cast<std::uint32_t>(part.receives.size());
    for (std::uint32_t s = 0; s < part.receives.size(); ++s) {
      receive_index_[part.receives[s].flow] = receives_.size();
      Receive receive;
      receive.part = p;
      receive.stream = s;
      receives_.push_back(receive);
    }
  }
  if (services.context.reliable) {
    go_back_n_ = std::make_unique<GoBackN>("go_back_n", services.context, config.path, config.id,
                                           static_cast<GoBackN::Client&>(*this));
  }
  if (config.outages.empty()) return;
  SC_METHOD(wake_up);
  sensitive << awake_event_;
  dont_initialize();
}

bool NetworkInterface::asleep() {
  const hw::Time awake = config_.awake(hw::now());
  if (awake == hw::now()) return false;
  if (awake != hw::Time::max()) awake_event_.notify(hw::to_sc(awake - hw::now()));
  return true;
}

void NetworkInterface::wake_up() {
  ++services_.context.kernel_events;
  for (std::size_t vc = 0; vc < hw::virtual_channels; ++vc) inject(static_cast<hw::VirtualChannel>(vc));
}

void NetworkInterface::part_ready(std::uint32_t part) {
  ready_[part] = true;
  const hw::VirtualChannel vc = program_.parts[part].vc;
  if (!program_.in_order) channels_[hw::index(vc)].parts.push_back(part);
  inject(vc);
}

/// Whether pace forbids a packet now; if not, the packet counts.
bool NetworkInterface::hold_back(Channel& channel, const Part& part) {
  if (part.pace.bits_per_second() == 0) return false;
  const hw::Time now = hw::now();
  if (channel.free_at > now) {
    pace_event_.notify(hw::to_sc(channel.free_at - now));
    return true;
  }
  const SendStream& stream = part.sends[channel.stream];
  const hw::PacketFormat& format = services_.context.format;
  const auto bytes = static_cast<std::uint32_t>(
      std::min<std::uint64_t>(unit_of(stream, part, format), stream.bytes - channel.sent_bytes));
  // What a busy link has delayed may be made up for, a few packets at most.
  const hw::Time span = part.pace.time_for(format.wire(bytes, part.element_bytes));
  channel.free_at = std::max(channel.free_at, now - span * 4) + span;
  return false;
}

void NetworkInterface::inject_paced() {
  ++services_.context.kernel_events;
  for (std::size_t vc = 0; vc < hw::virtual_channels; ++vc) inject(static_cast<hw::VirtualChannel>(vc));
}

void NetworkInterface::part_started(std::uint32_t part) {
  if (program_.parts[part].endpoint) steps_->start(part);
}

void NetworkInterface::steps_received(std::uint32_t part) {
  listener_.part_received(part, hw::now());
}

void NetworkInterface::inject(hw::VirtualChannel vc) {
  Channel& channel = channels_[hw::index(vc)];
  if (channel.turn == channel.parts.size() || channel.last_queued || transmitter.queued(vc) > 0) return;
  const std::uint32_t p = channel.parts[channel.turn];
  if (!ready_[p] || (!config_.outages.empty() && asleep())) return;
  if (go_back_n_ && vc != hw::VirtualChannel::control) return inject_reliably(vc);
  const Part& part = program_.parts[p];
  if (hold_back(channel, part)) return;
  if (channel.stream == 0 && channel.sequence == 0 && channel.places.empty()) listener_.part_starts(p);
  hw::PacketRef packet;
  if (part.endpoint) {
    channel.sequence = 1;
    packet = steps_->next_packet(p);
    if (!packet) return;
    channel.last_queued = steps_->all_sent(p);
  } else {
    packet = part.interleave ? next_in_turn(channel, part) : next_packet(channel, part);
    channel.last_queued = channel.stream == part.sends.size();
  }
  if (go_back_n_) go_back_n_->barrier_sent(packet.header());
  transmitter.enqueue(std::move(packet));
}

void NetworkInterface::inject_reliably(hw::VirtualChannel vc) {
  Channel& channel = channels_[hw::index(vc)];
  const Part& part = program_.parts[channel.parts[channel.turn]];
  const SendStream& stream = part.sends[channel.stream];
  if (!go_back_n_->is_open(vc)) {
    if (channel.stream == 0) listener_.part_starts(channel.parts[channel.turn]);
    go_back_n_->open(vc, stream.flow, part.operation);
  }
  const std::optional<std::uint64_t> number = go_back_n_->next(vc);
  if (!number) return;
  channel.sequence = *number;
  channel.sent_bytes = *number * services_.context.format.payload(part.element_bytes);
  if (hold_back(channel, part)) return;
  const hw::Epoch epoch = go_back_n_->send(vc);
  const std::size_t current = channel.stream;
  transmitter.enqueue(next_packet(channel, part, epoch));
  channel.stream = current;  // which ends when it is acknowledged
}

/// The next stream begins when all of one is acknowledged, so that a packet sent again never comes behind one
/// of a later stream.
void NetworkInterface::window_moved(hw::VirtualChannel vc) {
  Channel& channel = channels_[hw::index(vc)];
  if (go_back_n_->close_if_acknowledged(vc)) {
    const std::uint32_t p = channel.parts[channel.turn];
    if (++channel.stream == program_.parts[p].sends.size()) {
      channel.stream = 0;
      ++channel.turn;
      channel.sequence = 0;
      listener_.part_sent(p, hw::now());
    }
  }
  inject(vc);
}

void NetworkInterface::send_control(const hw::PacketHeader& header, hw::Time at) {
  if (config_.silent(at)) return;
  transmitter.enqueue(services_.context.packets.make(header, 0, nullptr, 0), config_.awake(at));
}

hw::PacketRef NetworkInterface::next_packet(Channel& channel, const Part& part, const hw::Epoch& epoch) {
  const SendStream& stream = part.sends[channel.stream];
  const hw::PacketFormat& format = services_.context.format;
  hw::PacketHeader header;
  const std::uint64_t packet = channel.sequence++;
  header.flow = hw::FlowId(stream.flow.value + static_cast<std::uint32_t>(packet % stream.stripes));
  header.operation = part.operation;
  header.source = config_.id;
  header.vc = part.vc;
  header.dtype = part.dtype;
  header.op = part.op;
  header.sequence = packet / stream.stripes;
  header.injected = hw::now();
  header.epoch = epoch.number;
  header.restart = epoch.restart;
  if (part.vc == hw::VirtualChannel::control) {
    ++channel.stream;
    channel.sequence = 0;
    header.wire_bytes = format.control;
    return services_.context.packets.make(header, 0, nullptr, 0);
  }
  const std::uint64_t offset = channel.sent_bytes;
  const auto bytes = static_cast<std::uint32_t>(
      std::min<std::uint64_t>(unit_of(stream, part, format), stream.bytes - offset));
  header.wire_bytes = format.wire(bytes, part.element_bytes);
  channel.sent_bytes += bytes;
  if (channel.sent_bytes == stream.bytes) {
    ++channel.stream;
    channel.sent_bytes = 0;
    channel.sequence = 0;
  }
  const std::byte* data = services_.source(part, config_.id, stream.first_byte + offset, bytes);
  return services_.context.packets.make(header, offset, data, bytes);
}

/// A packet of the stream whose turn it is; then the turn goes to the next that has some left.
hw::PacketRef NetworkInterface::next_in_turn(Channel& channel, const Part& part) {
  if (channel.places.empty()) channel.places.resize(part.sends.size());
  const std::size_t own = channel.stream;
  hw::PacketRef packet = next_packet(channel, part);
  const bool last = channel.stream != own;
  channel.places[own] = {last ? part.sends[own].bytes : channel.sent_bytes, channel.sequence};
  for (std::size_t i = 1; i <= part.sends.size(); ++i) {
    const std::size_t next = (own + i) % part.sends.size();
    const Place& place = channel.places[next];
    if (place.sent_bytes == part.sends[next].bytes) continue;
    channel.stream = next;
    channel.sent_bytes = place.sent_bytes;
    channel.sequence = place.sequence;
    return packet;
  }
  channel.stream = part.sends.size();
  channel.places.clear();
  return packet;
}

void NetworkInterface::departed(hw::PortId, const hw::Payload& payload, hw::Time tail_leaves) {
  const hw::VirtualChannel vc = hw::header_of(payload).vc;
  Channel& channel = channels_[hw::index(vc)];
  if (channel.last_queued && hw::header_of(payload).kind == hw::PacketKind::payload) {
    listener_.part_sent(channel.parts[channel.turn], tail_leaves);
    ++channel.turn;
    channel.stream = 0;
    channel.sequence = 0;
    channel.last_queued = false;
  }
  inject(vc);
}

NetworkInterface::Receive& NetworkInterface::receive_of(const hw::PacketHeader& header) {
  LastReceive& last = last_receive_[hw::index(header.vc)];
  if (last.flow != header.flow) {
    const auto found = receive_index_.find(header.flow);
    if (found == receive_index_.end()) {
      throw hw::InternalError(
          fmt::format("{} at {}: a packet of flow {} arrived, which this NPU does not expect", name(),
                      to_string(hw::now()), header.flow.value));
    }
    last = {header.flow, found->second};
  }
  return receives_[last.index];
}

void NetworkInterface::packet_arrives(hw::PortId, hw::Payload& payload, hw::Time at) {
  const hw::PacketHeader& header = hw::header_of(payload);
  hw::Time tail_at = at + serialization_.time_for(header.wire_bytes);
  hw::VcBuffer& buffer = buffers_[hw::index(header.vc)];
  buffer.push(payload, at);
  if (!config_.outages.empty()) {
    tail_at = config_.awake(tail_at);
    if (tail_at == hw::Time::max()) return;
  }
  const hw::PacketRef packet = buffer.pop(tail_at);
  in.credit(payload, tail_at);

  if (go_back_n_ && header.vc == hw::VirtualChannel::control) {
    if (header.damaged) return;
    if (header.kind != hw::PacketKind::payload) return go_back_n_->control_arrives(header, tail_at);
    go_back_n_->barrier_released(header.flow);
  }
  Receive& receive = receive_of(header);
  const ReceiveStream& stream = program_.parts[receive.part].receives[receive.stream];
  if (go_back_n_) {
    if (header.vc == hw::VirtualChannel::control) {
      if (receive.packets > 0) return;
    } else if (!go_back_n_->takes(static_cast<std::size_t>(&receive - receives_.data()), header,
                                  receive.packets, tail_at)) {
      return;
    }
  } else if (header.sequence != receive.packets) {
    throw hw::InternalError(fmt::format("{} at {}: packet {} of flow {} arrived where {} was next", name(),
                                        to_string(at), header.sequence, header.flow.value, receive.packets));
  }
  ++receive.packets;
  hw::FlowStatistics& statistics = services_.context.flows[header.flow];
  ++statistics.packets;
  statistics.latency.add(tail_at - header.injected);
  if (services_.context.timeline) {
    services_.context.timeline->packet(header.flow.value, config_.path, header.sequence, header.injected,
                                       tail_at);
  }

  if (program_.parts[receive.part].endpoint) {
    steps_->packet_arrives(receive.part, stream.peer, payload, tail_at);
    return;
  }
  if (header.vc != hw::VirtualChannel::control) {
    Delivery delivery;
    delivery.npu = config_.id;
    delivery.operation = program_.parts[receive.part].operation;
    delivery.flow = header.flow;
    delivery.first_byte = stream.first_byte + payload.get_address();
    delivery.bytes = payload.get_data_length();
    delivery.data = hw::data_of(payload);
    delivery.at = tail_at;
    listener_.packet_delivered(delivery);
  }
  hw::Time& received_at = received_at_[receive.part];
  received_at = std::max(received_at, tail_at);
  if (receive.packets == stream.packets && --open_streams_[receive.part] == 0) {
    listener_.part_received(receive.part, received_at);
  }
}

hw::PortStatus NetworkInterface::port_status(hw::PortId) {
  hw::PortStatus status;
  for (std::size_t vc = 0; vc < hw::virtual_channels; ++vc) {
    status.occupancy_bytes[vc] = buffers_[vc].bytes();
    status.credit_bytes[vc] = buffers_[vc].free_bytes();
  }
  return status;
}

bool NetworkInterface::has_turn(std::uint32_t part) const {
  return turn(program_.parts[part].vc) == part;
}

std::uint32_t NetworkInterface::turn(hw::VirtualChannel vc) const {
  const Channel& channel = channels_[hw::index(vc)];
  return channel.turn < channel.parts.size() ? channel.parts[channel.turn] : UINT32_MAX;
}

std::vector<hw::FlowId> NetworkInterface::unsent(std::uint32_t part) const {
  std::vector<hw::FlowId> flows;
  const Channel& channel = channels_[hw::index(program_.parts[part].vc)];
  const auto place = std::find(channel.parts.begin(), channel.parts.end(), part);
  const auto position = static_cast<std::size_t>(place - channel.parts.begin());
  if (place == channel.parts.end() || position < channel.turn) return flows;
  const std::vector<SendStream>& sends = program_.parts[part].sends;
  if (program_.parts[part].endpoint) {
    for (std::uint32_t peer = 0; peer < sends.size(); ++peer) {
      if (!steps_->sends_to(part, peer)) continue;
      for (std::uint32_t s = 0; s < sends[peer].stripes; ++s) flows.emplace_back(sends[peer].flow.value + s);
    }
    return flows;
  }
  // A packet that is still in the transmitter counts as unsent.
  const bool waits = transmitter.queued(program_.parts[part].vc) > 0;
  std::size_t first = position == channel.turn ? channel.stream : 0;
  if (position == channel.turn && waits && channel.sequence == 0 && first > 0) --first;
  if (position == channel.turn && !channel.places.empty()) first = 0;
  for (std::size_t s = first; s < sends.size(); ++s) {
    const bool all =
        position == channel.turn && !channel.places.empty() && channel.places[s].sent_bytes == sends[s].bytes;
    if (all) continue;
    for (std::uint32_t stripe = 0; stripe < sends[s].stripes; ++stripe) {
      flows.emplace_back(sends[s].flow.value + stripe);
    }
  }
  return flows;
}

std::vector<hw::FlowId> NetworkInterface::unreceived(std::uint32_t part) const {
  std::vector<hw::FlowId> flows;
  for (const Receive& receive : receives_) {
    const ReceiveStream& stream = program_.parts[receive.part].receives[receive.stream];
    if (receive.part == part && receive.packets < stream.packets) flows.push_back(stream.flow);
  }
  return flows;
}

}  // namespace fredsim::accel
