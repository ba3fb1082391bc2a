#pragma once

#include <algorithm>
#include <cstdint>

namespace fredsim::hw {

/// Sizes on the wire (FRED sec. 6.2.3): the header is part of the packet, not on top of it.
///
/// What crosses a link as one is a packet, or in coarse runs a train of packets on end, each with its header.
struct PacketFormat {
  std::uint32_t bytes = 4096;  ///< a full data packet
  std::uint32_t header = 6;
  std::uint32_t control = 512;  ///< a control packet
  std::uint32_t train = 1;      ///< packets of the longest train

  /// Payload bytes of a full data packet: as many whole elements as fit behind the header.
  constexpr std::uint32_t payload(std::uint32_t element_bytes) const {
    return (bytes - header) / element_bytes * element_bytes;
  }
  /// Packets that carry `payload_bytes`.
  constexpr std::uint64_t packets(std::uint64_t payload_bytes, std::uint32_t element_bytes) const {
    const std::uint64_t per_packet = payload(element_bytes);
    return (payload_bytes + per_packet - 1) / per_packet;
  }

  /// Payload bytes of a train when `payload_bytes` are cut into trains of one size: as long ones as there may
  /// be, but `least` trains if there are packets enough, so that they spread over planes and what comes in
  /// goes on before all of it has come.
  constexpr std::uint32_t unit(std::uint64_t payload_bytes, std::uint32_t element_bytes,
                               std::uint32_t least) const {
    if (train == 1) return payload(element_bytes);
    const std::uint64_t each = packets(payload_bytes, element_bytes) / least;
    return payload(element_bytes) * static_cast<std::uint32_t>(std::clamp<std::uint64_t>(each, 1, train));
  }
  /// Trains of a message among NPUs.
  constexpr std::uint64_t trains_of_message(std::uint64_t payload_bytes, std::uint32_t element_bytes) const {
    const std::uint64_t each = unit(payload_bytes, element_bytes, 12);
    return (payload_bytes + each - 1) / each;
  }
  /// Bytes on the wire of a train that carries `payload_bytes`.
  constexpr std::uint32_t wire(std::uint32_t payload_bytes, std::uint32_t element_bytes) const {
    if (train == 1) return header + payload_bytes;
    return payload_bytes + header * static_cast<std::uint32_t>(packets(payload_bytes, element_bytes));
  }
};

}  // namespace fredsim::hw
