#include "switch/mesh/router.h"

#include <fmt/format.h>

#include <algorithm>

#include "hw/core/error.h"

namespace fredsim::sw {

MeshRouter::Output::Output(const char* name, hw::Context& context, const std::string& path,
                           const RouterPortConfig& port, MeshRouter& router, Side side, std::uint32_t staging)
    : transmitter(name, context, path, port.bandwidth, port.receiver, router, port_of(side)),
      serialization(port.bandwidth) {
  for (Stage& stage : stages) {
    for (std::uint32_t place = 0; place < staging; ++place) stage.free.push(hw::Time());
  }
}

MeshRouter::MeshRouter(sc_core::sc_module_name name, hw::Context& context, const RouterConfig& config,
                       const MeshRoutes& routes)
    : sc_module(name), config_(config), routes_(routes) {
  for (std::size_t p = 0; p < mesh_ports; ++p) {
    const auto side = static_cast<Side>(p);
    const RouterPortConfig& port = config_.ports[p];
    if (!port.connected) continue;
    const std::string side_name(to_string(side));
    inputs_[p] = std::make_unique<Input>(("in_" + side_name).c_str(), *this, side, port.bandwidth);
    inputs_[p]->channels.reserve(hw::virtual_channels);
    for (std::size_t vc = 0; vc < hw::virtual_channels; ++vc) {
      const auto channel = static_cast<hw::VirtualChannel>(vc);
      inputs_[p]->channels.emplace_back(
          context, fmt::format("{}.{}.in.vc_{}", config_.path, side_name, hw::to_string(channel)), channel,
          port.buffers[vc]);
    }
    outputs_[p] = std::make_unique<Output>(("out_" + side_name).c_str(), context,
                                           fmt::format("{}.{}.out", config_.path, side_name), port, *this,
                                           side, config_.staging);
  }
}

void MeshRouter::packet_arrives(hw::PortId port, hw::Payload& payload, hw::Time at) {
  Input& from = *inputs_[port.value];
  Channel& channel = from.channels[hw::index(hw::header_of(payload).vc)];
  channel.buffer.push(payload, at);
  if (channel.buffer.packets() == 1) ask(from, channel);
}

/// The first packet of a channel asks for room at its outputs.
void MeshRouter::ask(Input& from, Channel& channel) {
  const hw::PacketHeader& header = hw::header_of(channel.buffer.front());
  const SideMask outputs = routes_.outputs(config_.node, header.flow);
  const std::size_t vc = hw::index(header.vc);
  channel.asked = outputs;
  channel.tail_leaves = hw::Time();
  ++statistics_.forwards;
  for (std::size_t p = 0; p < mesh_ports; ++p) {
    if ((outputs >> p & 1) == 0) continue;
    if (!outputs_[p]) {
      throw hw::InternalError(fmt::format("{} at {}: flow {} is sent to a side where nothing is", name(),
                                          to_string(hw::now()), header.flow.value));
    }
    Stage& stage = outputs_[p]->stages[vc];
    if (stage.free.empty()) {
      stage.waiting.push({&from, &channel});
    } else {
      take({&from, &channel}, static_cast<Side>(p), stage.free.pop());
    }
  }
  if (channel.asked == 0) finish(from, channel);
}

/// An output takes the first packet of a channel: there is room from `room_from` on.
void MeshRouter::take(Request request, Side side, hw::Time room_from) {
  Channel& channel = *request.channel;
  Output& output = *outputs_[index(side)];
  const hw::PacketRef packet = channel.buffer.front_packet();
  const std::uint32_t bytes = packet.header().wire_bytes;
  const hw::Time begins = std::max({channel.buffer.front_arrival(), channel.free_from, room_from, hw::now()});
  const hw::Time ends = begins + request.from->serialization.time_for(bytes);
  if (channel.tail_leaves > hw::Time()) ++statistics_.copies;
  channel.tail_leaves = std::max(channel.tail_leaves, ends);
  channel.asked = static_cast<SideMask>(channel.asked & ~mask_of(side));
  // A faster link must not run out of the packet that still comes in over a slower one.
  const hw::Time gapless = ends - output.serialization.time_for(bytes);
  output.transmitter.enqueue(packet, std::max(begins, gapless) + config_.hop_latency);
}

/// All outputs have taken the first packet.
void MeshRouter::finish(Input& from, Channel& channel) {
  channel.free_from = channel.tail_leaves;
  const hw::PacketRef packet = channel.buffer.pop(channel.free_from);
  from.in.credit(*packet, channel.free_from);
  if (!channel.buffer.empty()) ask(from, channel);
}

void MeshRouter::departed(hw::PortId port, const hw::Payload& payload, hw::Time tail_leaves) {
  Stage& stage = outputs_[port.value]->stages[hw::index(hw::header_of(payload).vc)];
  if (stage.waiting.empty()) {
    stage.free.push(tail_leaves);
    return;
  }
  const Request next = stage.waiting.pop();
  take(next, static_cast<Side>(port.value), tail_leaves);
  if (next.channel->asked == 0) finish(*next.from, *next.channel);
}

hw::PortStatus MeshRouter::port_status(hw::PortId port) {
  hw::PortStatus status;
  for (std::size_t vc = 0; vc < hw::virtual_channels; ++vc) {
    status.occupancy_bytes[vc] = inputs_[port.value]->channels[vc].buffer.bytes();
    status.credit_bytes[vc] = inputs_[port.value]->channels[vc].buffer.free_bytes();
  }
  return status;
}

}  // namespace fredsim::sw
