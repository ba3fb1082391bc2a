#pragma once

#include <cstdint>

namespace fredsim::hw {

/// Sizes on the wire (FRED sec. 6.2.3): the header is part of the packet, not on top of it.
struct PacketFormat {
  std::uint32_t bytes = 4096;  ///< a full data packet
  std::uint32_t header = 6;
  std::uint32_t control = 512;  ///< a control packet

  /// Payload bytes of a full data packet: as many whole elements as fit behind the header.
  constexpr std::uint32_t payload(std::uint32_t element_bytes) const {
    return (bytes - header) / element_bytes * element_bytes;
  }
  /// Packets that carry `payload_bytes`.
  constexpr std::uint64_t packets(std::uint64_t payload_bytes, std::uint32_t element_bytes) const {
    const std::uint64_t per_packet = payload(element_bytes);
    return (payload_bytes + per_packet - 1) / per_packet;
  }
};

}  // namespace fredsim::hw
