#pragma once

#include <cstdint>

#include "hw/core/time_sum.h"

namespace fredsim::sw {

/// Counters of one switch; times are sums over flows and packets.
struct SwitchStatistics {
  std::uint64_t reconfigurations = 0;
  hw::Time reconfiguring;
  std::uint64_t preemptions = 0;  ///< reconfigurations while a lower class could still have fired
  hw::TimeSum partner_missing;    ///< from a flow's first operand of a packet to its last, and to its turn
  hw::TimeSum other_route_set;    ///< ready, while the switch served or changed to another route set
  hw::TimeSum no_staging;         ///< ready, but an output port had no room
};

}  // namespace fredsim::sw
