#include "switch/fabric/input_port.h"

#include <fmt/format.h>

namespace fredsim::sw {

InputPort::InputPort(sc_core::sc_module_name name, hw::Context& context, const std::string& path,
                     hw::PortId port, hw::Bandwidth link_bandwidth, const hw::Capacities& buffers,
                     Listener& listener)
    : sc_module(name),
      in("in", *this, port),
      port_(port),
      serialization_(link_bandwidth),
      listener_(listener) {
  buffers_.reserve(hw::virtual_channels);
  for (std::size_t vc = 0; vc < hw::virtual_channels; ++vc) {
    const auto channel = static_cast<hw::VirtualChannel>(vc);
    buffers_.emplace_back(context, fmt::format("{}.vc_{}", path, to_string(channel)), channel, buffers[vc]);
  }
}

void InputPort::packet_arrives(hw::PortId, hw::Payload& payload, hw::Time at) {
  const hw::PacketHeader& header = hw::header_of(payload);
  hw::VcBuffer& buffer = buffers_[hw::index(header.vc)];
  buffer.push(payload, at);
  if (header.vc == hw::VirtualChannel::control) {
    const hw::PacketRef packet = pop(header.vc, at + serialization_.time_for(header.wire_bytes));
    listener_.control_arrives(port_, *packet, at);
  } else if (buffer.packets() == 1) {
    listener_.head_exposed(port_, header.vc);
  }
}

hw::Time InputPort::tail_arrival(hw::VirtualChannel vc) {
  const hw::VcBuffer& from = buffer(vc);
  return from.front_arrival() + serialization_.time_for(hw::header_of(from.front()).wire_bytes);
}

hw::PacketRef InputPort::pop(hw::VirtualChannel vc, hw::Time tail_leaves) {
  hw::PacketRef packet = buffer(vc).pop(tail_leaves);
  in.credit(*packet, tail_leaves);
  return packet;
}

hw::PortStatus InputPort::port_status(hw::PortId) {
  hw::PortStatus status;
  for (std::size_t vc = 0; vc < hw::virtual_channels; ++vc) {
    status.occupancy_bytes[vc] = buffers_[vc].bytes();
    status.credit_bytes[vc] = buffers_[vc].free_bytes();
  }
  return status;
}

}  // namespace fredsim::sw
