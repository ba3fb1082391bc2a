#include "switch/fabric/control_packets.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "hw/core/error.h"

namespace fredsim::sw {

ControlPackets::ControlPackets(hw::Context& context, std::string owner, const SwitchPlan& plan,
                               hw::Time latency)
    : context_(context), owner_(std::move(owner)), latency_(latency) {
  for (const SwitchFlow& flow : plan.flows) {
    if (flow.vc != hw::VirtualChannel::control) continue;
    barrier_of_[flow.flow] = barriers_.size();
    Barrier barrier;
    barrier.flow = &flow;
    barriers_.push_back(barrier);
  }
}

void ControlPackets::arrives(hw::PortId port, const hw::Payload& payload, hw::Time at,
                             std::vector<Emergence>& emerged) {
  const hw::PacketHeader& header = hw::header_of(payload);
  const auto found = barrier_of_.find(header.flow);
  const std::uint64_t bit = std::uint64_t{1} << port.value;
  if (found == barrier_of_.end()) {
    throw hw::InternalError(
        fmt::format("{} at {}: control packet of flow {} at port {}: the switch knows no such barrier",
                    owner_, to_string(at), header.flow.value, port.value));
  }
  Barrier& barrier = barriers_[found->second];
  const std::vector<hw::PortId>& inputs = barrier.flow->ports.inputs;
  if ((barrier.seen & bit) != 0 || std::find(inputs.begin(), inputs.end(), port) == inputs.end()) {
    throw hw::InternalError(fmt::format("{} at {}: control packet of flow {} at port {}: {}", owner_,
                                        to_string(at), header.flow.value, port.value,
                                        barrier.seen & bit ? "a second one" : "not a member"));
  }
  barrier.seen |= bit;
  barrier.latest = std::max(barrier.latest, at);
  const hw::Time injected = std::max(barrier.release.injected, header.injected);
  if (port < barrier.first) {
    barrier.first = port;
    barrier.release = header;
  }
  barrier.release.injected = injected;
  if (++barrier.count != inputs.size()) return;
  const hw::PacketRef release = context_.packets.make(barrier.release, 0, nullptr, 0);
  for (const hw::PortId output : barrier.flow->ports.outputs) {
    emerged.push_back({barrier.latest + latency_, output, release});
  }
}

std::vector<ControlPackets::Unfinished> ControlPackets::unfinished() const {
  std::vector<Unfinished> result;
  for (const Barrier& barrier : barriers_) {
    const std::vector<hw::PortId>& inputs = barrier.flow->ports.inputs;
    if (barrier.count == 0 || barrier.count == inputs.size()) continue;
    Unfinished left{barrier.flow->flow, {}};
    for (const hw::PortId port : inputs) {
      if ((barrier.seen >> port.value & 1) == 0) left.missing.push_back(port);
    }
    result.push_back(std::move(left));
  }
  return result;
}

}  // namespace fredsim::sw
