#include "tb/plan/expected_traffic.h"

namespace fredsim::tb {

std::uint32_t element_bytes_of(const hw::Flow& flow) {
  return flow.reduces ? static_cast<std::uint32_t>(hw::size_of(flow.dtype)) : 1;
}

std::uint64_t packets_of(const hw::Flow& flow, const hw::PacketFormat& format) {
  if (flow.vc == hw::VirtualChannel::control) return 1;
  if (flow.packets > 0) return flow.packets;
  return format.packets(flow.bytes, element_bytes_of(flow));
}

std::vector<NpuTraffic> expected_traffic(const Plan& plan, const hw::PacketFormat& format) {
  std::vector<NpuTraffic> traffic(plan.programs.size());
  for (const hw::Flow& flow : plan.flows) {
    LinkTraffic once;
    const std::uint64_t packets = packets_of(flow, format);
    if (flow.vc == hw::VirtualChannel::control) {
      once.control_packets = packets;
    } else {
      once.packets = packets;
      once.bytes = flow.bytes + packets * format.header;
    }
    const auto cross = [&](LinkTraffic& link) {
      link.bytes += once.bytes;
      link.packets += once.packets;
      link.control_packets += once.control_packets;
    };
    for (const hw::NpuId npu : flow.sources) cross(traffic[npu.value].sent);
    for (const hw::NpuId npu : flow.destinations) cross(traffic[npu.value].received);
  }
  return traffic;
}

}  // namespace fredsim::tb
