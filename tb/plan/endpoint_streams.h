#pragma once

#include <cstdint>
#include <vector>

#include "hw/core/packet_format.h"
#include "hw/core/records.h"
#include "tb/plan/endpoint.h"
#include "tb/plan/plan.h"

namespace fredsim::tb {

/// All that one member of an endpoint collective sends to another, a unicast of several messages.
struct EndpointStream {
  hw::Flow flow;                                ///< not striped
  std::uint32_t from = 0, to = 0;               ///< ranks
  std::uint32_t peer_of_sender = 0;             ///< index into RankSteps::to of `from`
  std::uint32_t peer_of_receiver = 0;           ///< index into RankSteps::from of `to`
  std::vector<std::uint64_t> message_elements;  ///< in the order of the list
};

/// By sender's rank, then in the order of RankSteps::to.
std::vector<EndpointStream> endpoint_streams(const hw::Operation& operation, hw::OperationId id,
                                             const PlannedOperation& planned, const hw::PacketFormat& format);

/// Deals a stream out to at most `planes` stripes. Packet k of the messages, in the order of the list, each
/// cut by itself into packets of one size, belongs to stripe k mod the number of stripes, whenever it goes.
std::vector<hw::Flow> stripes_of(const EndpointStream& stream, std::uint32_t element_bytes,
                                 std::uint32_t planes, const hw::PacketFormat& format);

}  // namespace fredsim::tb
