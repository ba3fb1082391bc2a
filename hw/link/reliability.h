#pragma once

#include <cstdint>
#include <vector>

#include "hw/core/ids.h"
#include "hw/core/quantity.h"

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
  /// Epochs are compared as serial numbers (RFC 1982), and every run takes them past where they wrap.
  static constexpr std::uint32_t first_epoch = 0xfffffffe;

  Time timeout;
  std::uint64_t attempts = 0;
  std::vector<Sequence> flows;  ///< by FlowId
};

inline bool newer(std::uint32_t epoch, std::uint32_t than) {
  return static_cast<std::int32_t>(epoch - than) > 0;
}

}  // namespace fredsim::hw
