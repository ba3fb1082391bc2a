#include "switch/mesh/router.h"

#include <fmt/format.h>

#include <algorithm>

#include "hw/core/error.h"

namespace fredsim::sw {

MeshRouter::MeshRouter(sc_core::sc_module_name name, hw::Context& context, const RouterConfig& config,
                       const MeshRoutes& routes)
    : sc_module(name), config_(config), routes_(routes) {
  hw::Transmitter::Client& self = *this;
  for (std::size_t p = 0; p < mesh_ports; ++p) {
    const auto side = static_cast<Side>(p);
    const RouterPortConfig& port = config_.ports[p];
    out_serialization_.emplace_back(port.bandwidth);
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
    outputs_[p] = std::make_unique<hw::Transmitter>(("out_" + side_name).c_str(), context,
                                                    fmt::format("{}.{}.out", config_.path, side_name),
                                                    port.bandwidth, port.receiver, self, port_of(side));
  }
}

void MeshRouter::packet_arrives(hw::PortId port, hw::Payload& payload, hw::Time at) {
  Input& from = *inputs_[port.value];
  Channel& channel = from.channels[hw::index(hw::header_of(payload).vc)];
  channel.buffer.push(payload, at);
  if (channel.buffer.packets() == 1) ask(from, channel);
}

/// The first packet of a channel asks for its outputs.
void MeshRouter::ask(Input& from, Channel& channel) {
  const hw::Payload& payload = channel.buffer.front();
  const hw::PacketHeader& header = hw::header_of(payload);
  const SideMask outputs = routes_.outputs(config_.node, header.flow);
  channel.asked = outputs;
  channel.tail_leaves = hw::Time();
  ++statistics_.forwards;
  const hw::Time head = channel.buffer.front_arrival();
  const hw::Time tail = head + from.serialization.time_for(header.wire_bytes);
  const hw::PacketRef packet = channel.buffer.front_packet();
  for (std::size_t p = 0; p < mesh_ports; ++p) {
    if ((outputs >> p & 1) == 0) continue;
    if (!outputs_[p]) {
      throw hw::InternalError(fmt::format("{} at {}: flow {} is sent to a side where nothing is", name(),
                                          to_string(hw::now()), header.flow.value));
    }
    // A faster link must not run out of the packet that still comes in over a slower one.
    const hw::Time gapless = tail - out_serialization_[p].time_for(header.wire_bytes);
    outputs_[p]->enqueue(
        packet, std::max({std::max(head, gapless) + config_.hop_latency, channel.free_from, hw::now()}));
  }
}

void MeshRouter::departed(hw::PortId port, const hw::Payload& payload, hw::Time tail_leaves) {
  const hw::VirtualChannel vc = hw::header_of(payload).vc;
  const SideMask output = static_cast<SideMask>(1u << port.value);
  for (const std::unique_ptr<Input>& from : inputs_) {
    if (!from) continue;
    Channel& channel = from->channels[hw::index(vc)];
    if ((channel.asked & output) == 0 || &channel.buffer.front() != &payload) continue;
    channel.asked = static_cast<SideMask>(channel.asked & ~output);
    channel.tail_leaves = std::max(channel.tail_leaves, tail_leaves);
    if (channel.asked != 0) {
      ++statistics_.copies;
      return;
    }
    channel.free_from = channel.tail_leaves;
    const hw::PacketRef packet = channel.buffer.pop(channel.free_from);
    from->in.credit(*packet, channel.free_from);
    if (!channel.buffer.empty()) ask(*from, channel);
    return;
  }
  throw hw::InternalError(
      fmt::format("{} at {}: a packet left that no input has", name(), to_string(hw::now())));
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
