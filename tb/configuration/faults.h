#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "hw/core/quantity.h"

namespace fredsim::tb {

/// How packets that are lost are made good; docs/reliability.md.
enum class Reliability : std::uint8_t {
  automatic,  ///< link where faults are configured, none elsewhere
  none,
  link,  ///< every link resends for itself
};

/// One entry of `faults.script`.
struct FaultEntry {
  /// Both included.
  struct Range {
    std::uint64_t first = 0;
    std::uint64_t last = 0;
  };
  enum class Kind : std::uint8_t {
    packets,  ///< damaged: so many data packets of a link, counted from 0 as they cross
    acks,     ///< likewise ACKs
    nacks,
    last_of,  ///< the last packet of a flow, or of each flow of an operation, the first time it crosses
    down,     ///< a link drops what is on it between two times
    dies,     ///< an NPU
    stalls,   ///< an NPU, between two times
  };
  Kind kind = Kind::packets;
  std::string place;  ///< in the configuration, for messages
  std::string link;   ///< its name in the results; empty for NPUs
  std::uint32_t npu = 0;
  std::vector<Range> ranges;  ///< packets, acks, nacks
  std::string flow;           ///< last_of
  hw::Time from;
  hw::Time until = hw::Time::max();

  /// As a user writes it: "{link: npu0_to_switch, packets: [7, 12]}".
  std::string text() const;
};

struct FaultsConfiguration {
  double bit_error_rate = 0;
  std::vector<FaultEntry> script;

  bool any() const { return bit_error_rate > 0 || !script.empty(); }
};

}  // namespace fredsim::tb
