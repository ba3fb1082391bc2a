#include "tb/plan/endpoint_streams.h"

#include <algorithm>

namespace fredsim::tb {

std::vector<EndpointStream> endpoint_streams(const hw::Operation& operation, hw::OperationId id,
                                             const PlannedOperation& planned,
                                             const hw::PacketFormat& format) {
  std::vector<EndpointStream> streams;
  const std::vector<accel::RankSteps>& ranks = planned.endpoint->ranks;
  for (std::uint32_t from = 0; from < ranks.size(); ++from) {
    for (std::uint32_t peer = 0; peer < ranks[from].to.size(); ++peer) {
      EndpointStream stream;
      stream.from = from;
      stream.to = ranks[from].to[peer].rank;
      stream.peer_of_sender = peer;
      const std::vector<accel::RankSteps::Peer>& back = ranks[stream.to].from;
      while (back[stream.peer_of_receiver].rank != from) ++stream.peer_of_receiver;
      stream.flow.operation = id;
      stream.flow.part = static_cast<std::uint32_t>(streams.size());
      const bool barrier = operation.type == hw::OperationType::barrier;
      stream.flow.vc = barrier ? hw::VirtualChannel::control : hw::channel_of(operation.traffic_class);
      stream.flow.dtype = planned.dtype;
      stream.flow.op = operation.op;
      stream.flow.sources = {operation.npus[from]};
      stream.flow.destinations = {operation.npus[stream.to]};
      for (const std::uint32_t send : ranks[from].to[peer].steps) {
        const std::uint64_t elements = ranks[from].sends[send].elements.size();
        stream.message_elements.push_back(elements);
        if (!barrier) stream.flow.bytes += elements * planned.element_bytes;
        stream.flow.packets += format.packets(elements * planned.element_bytes, planned.element_bytes);
      }
      streams.push_back(std::move(stream));
    }
  }
  return streams;
}

std::vector<hw::Flow> stripes_of(const EndpointStream& stream, std::uint32_t element_bytes,
                                 std::uint32_t planes, const hw::PacketFormat& format) {
  const auto count = static_cast<std::uint32_t>(std::min<std::uint64_t>(stream.flow.packets, planes));
  if (count == 1) return {stream.flow};
  std::vector<hw::Flow> flows(count, stream.flow);
  for (std::uint32_t s = 0; s < count; ++s) {
    flows[s].stripe = s;
    flows[s].stripes = count;
    flows[s].bytes = flows[s].packets = 0;
  }
  std::uint64_t packet = 0;
  for (const std::uint64_t elements : stream.message_elements) {
    const std::uint64_t packets = format.packets(elements * element_bytes, element_bytes);
    for (std::uint64_t p = 0; p < packets; ++p) {
      hw::Flow& flow = flows[packet++ % count];
      flow.bytes += hw::shard(elements, packets, p).size() * element_bytes;
      ++flow.packets;
    }
  }
  return flows;
}

}  // namespace fredsim::tb
