#pragma once

#include <cstdint>
#include <vector>

#include "hw/core/ids.h"
#include "hw/core/packet_format.h"
#include "hw/core/quantity.h"
#include "hw/link/packet.h"

namespace fredsim::hw {

/// What everybody must know who delivers flows reliably; docs/reliability.md.
struct FlowReliability {
  /// A flow, or a stripe of one: its packets k are numbers k * stripes + stripe of the whole.
  struct Sequence {
    FlowId first;  ///< stripe
    std::uint32_t stripe = 0;
    std::uint32_t stripes = 1;
    std::uint64_t packets = 0;

    std::uint64_t number(std::uint64_t k) const { return k * stripes + stripe; }
  };

  /// FRED sec. 6.2.3: an acknowledgement for every 16 packets.
  static constexpr std::uint64_t acknowledge_every = 16;
  /// Packets of a stripe under way, at most: a few times what an acknowledgement covers, so that a source
  /// never waits for one across the fabric.
  static constexpr std::uint64_t window = 64;
  /// Every run takes the serial numbers past where they wrap.
  static constexpr std::uint32_t first_epoch = 0xfffffffe;

  Time timeout;
  std::uint64_t attempts = 0;
  std::vector<Sequence> flows;  ///< by FlowId
};

/// What sources send from one time of going back to the next. Those that have been told of different packets
/// at a time agree on the earliest: an epoch that begins earlier is newer than others of its number.
struct Epoch {
  std::uint32_t number = FlowReliability::first_epoch;  ///< a serial number (RFC 1982)
  std::uint64_t restart = 0;                            ///< the packet, of all stripes, with which it begins

  friend bool operator==(const Epoch& a, const Epoch& b) {
    return a.number == b.number && a.restart == b.restart;
  }
  friend bool operator!=(const Epoch& a, const Epoch& b) { return !(a == b); }
};

inline bool newer(const Epoch& epoch, const Epoch& than) {
  if (epoch.number == than.number) return epoch.restart < than.restart;
  return static_cast<std::int32_t>(epoch.number - than.number) > 0;
}

/// The epoch to ask for when packet `missing` has not come in `epoch`.
inline Epoch after(const Epoch& epoch, std::uint64_t missing) {
  return {missing < epoch.restart ? epoch.number : epoch.number + 1, missing};
}

inline Epoch epoch_of(const PacketHeader& header) {
  return {header.epoch, header.restart};
}

/// Of a control packet that says something about packet `sequence` of a flow, sent now.
PacketHeader control_header(const PacketFormat& format, PacketKind kind, FlowId flow, std::uint64_t sequence,
                            const Epoch& epoch);

}  // namespace fredsim::hw
