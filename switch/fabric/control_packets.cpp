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
    Barrier barrier;
    barrier.flow = &flow;
    barriers_.push_back(barrier);
  }
}

ControlPackets::Barrier& ControlPackets::barrier_of(hw::FlowId flow, hw::PortId port, hw::Time at) {
  const auto of_flow = [](const Barrier& b, hw::FlowId f) { return b.flow->flow < f; };
  const char* wrong = "the switch knows no such barrier";
  for (auto b = std::lower_bound(barriers_.begin(), barriers_.end(), flow, of_flow);
       b != barriers_.end() && b->flow->flow == flow; ++b) {
    const std::vector<hw::PortId>& inputs = b->flow->ports.inputs;
    wrong = "not a member";
    if (std::find(inputs.begin(), inputs.end(), port) == inputs.end()) continue;
    if ((b->seen >> port.value & 1) == 0 || context_.reliable) return *b;
    wrong = "a second one";
    break;
  }
  throw hw::InternalError(fmt::format("{} at {}: control packet of flow {} at port {}: {}", owner_,
                                      to_string(at), flow.value, port.value, wrong));
}

void ControlPackets::arrives(hw::PortId port, const hw::Payload& payload, hw::Time at,
                             std::vector<Emergence>& emerged) {
  const hw::PacketHeader& header = hw::header_of(payload);
  const std::uint64_t bit = std::uint64_t{1} << port.value;
  Barrier& barrier = barrier_of(header.flow, port, at);
  const std::vector<hw::PortId>& inputs = barrier.flow->ports.inputs;
  if ((barrier.seen & bit) != 0) {
    if (barrier.count == inputs.size()) release(barrier, std::max(barrier.latest, at), emerged);
    return;
  }
  barrier.seen |= bit;
  barrier.latest = std::max(barrier.latest, at);
  const hw::Time injected = std::max(barrier.release.injected, header.injected);
  if (port < barrier.first) {
    barrier.first = port;
    barrier.release = header;
  }
  barrier.release.injected = injected;
  if (++barrier.count == inputs.size()) release(barrier, barrier.latest, emerged);
}

void ControlPackets::release(const Barrier& barrier, hw::Time at, std::vector<Emergence>& emerged) {
  const hw::PacketRef packet = context_.packets.make(barrier.release, 0, nullptr, 0);
  for (const hw::PortId output : barrier.flow->ports.outputs) {
    emerged.push_back({at + latency_, output, packet});
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
