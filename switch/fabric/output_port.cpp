#include "switch/fabric/output_port.h"

#include <fmt/format.h>

namespace fredsim::sw {
namespace {

hw::ProbeInfo staging_probe(const std::string& path, hw::VirtualChannel vc, std::uint32_t staging) {
  hw::ProbeInfo info;
  info.path = fmt::format("{}.vc_{}.staging", path, to_string(vc));
  info.unit = "packets";
  info.meaning = "packets on their way to the link, from firing to the tail leaving";
  info.kind = hw::ProbeKind::level;
  info.full = staging;
  info.statistics = false;
  return info;
}

}  // namespace

OutputPort::OutputPort(sc_core::sc_module_name name, hw::Context& context, const std::string& path,
                       hw::PortId port, hw::Bandwidth link_bandwidth, const hw::Capacities& receiver,
                       std::uint32_t staging, hw::Time lead, Listener& listener)
    : sc_module(name),
      transmitter("transmitter", context, path, link_bandwidth, receiver, *this, port, lead),
      staging_(staging),
      listener_(listener) {
  for (std::size_t vc = 0; vc < hw::traffic_classes; ++vc) {
    occupancy_.emplace_back(context.recorder,
                            staging_probe(path, static_cast<hw::VirtualChannel>(vc), staging));
  }
}

bool OutputPort::has_room(hw::VirtualChannel vc, hw::Time at) {
  Channel& channel = channels_[hw::index(vc)];
  while (!channel.leaving.empty() && channel.leaving.front() <= at) channel.leaving.pop();
  return channel.reserved + channel.leaving.size() < staging_;
}

std::optional<hw::Time> OutputPort::next_room(hw::VirtualChannel vc) const {
  const Channel& channel = channels_[hw::index(vc)];
  if (channel.leaving.empty()) return std::nullopt;
  return channel.leaving.front();
}

void OutputPort::reserve(hw::VirtualChannel vc, hw::Time at) {
  ++channels_[hw::index(vc)].reserved;
  hw::Probe& occupancy = occupancy_[hw::index(vc)];
  if (occupancy.recorded()) occupancy.add(at, 1);
}

void OutputPort::departed(hw::PortId, const hw::Payload& payload, hw::Time tail_leaves) {
  const hw::VirtualChannel vc = hw::header_of(payload).vc;
  if (vc == hw::VirtualChannel::control) return;  // the control unit sends without staging
  Channel& channel = channels_[hw::index(vc)];
  --channel.reserved;
  channel.leaving.push(tail_leaves);
  hw::Probe& occupancy = occupancy_[hw::index(vc)];
  if (occupancy.recorded()) occupancy.add(tail_leaves, -1);
  listener_.room_freed(tail_leaves);
}

}  // namespace fredsim::sw
