#pragma once

#include <array>
#include <cstdint>

#include "hw/core/records.h"
#include "hw/core/time_sum.h"

namespace fredsim::sw {

/// Counters of one switch. Sums of times are over flows and packets, what still goes on included.
struct SwitchStatistics {
  std::uint64_t reconfigurations = 0;
  hw::Time reconfiguring;
  std::uint64_t route_loads = 0;  ///< changes to a route set that was not in the route memory
  hw::Time loading;
  std::uint64_t preemptions = 0;  ///< changes of the route set while a lower class could still have fired
  hw::TimeSum partner_missing;    ///< from a flow's first operand of a packet to its last, and to its turn
  hw::TimeSum other_route_set;    ///< ready, while the switch served or changed to another route set
  hw::TimeSum no_staging;         ///< ready, but an output port had no room
  /// The part of `other_route_set` that flows of each class have waited.
  std::array<hw::TimeSum, hw::traffic_classes> other_route_set_of{};
  /// Time in which packets of each class were leaving the input buffers, whatever their number.
  std::array<hw::Time, hw::traffic_classes> served{};
};

}  // namespace fredsim::sw
