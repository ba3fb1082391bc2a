#pragma once

#include <cstdint>

#include "fpga_agg/schedule/alignment.h"
#include "fpga_agg/schedule/memory_law.h"
#include "hw/core/quantity.h"

namespace fredsim::agg {

/// What the memory of an aggregator holds, in packets.
struct PacketMemory {
  std::uint64_t bytes = 0;         ///< of memory
  std::uint64_t packet_bytes = 0;  ///< that one packet, as accumulators or as it came, takes
};

/// The memory law in whole packets: the least time between the packets of each source with which no
/// aggregator of a clique ever needs more than its memory, at any member, when arrivals may be up to `jitter`
/// late. 0 where nothing need be kept. The memory must hold what one packet number needs.
hw::Time paced_interval(Organization organization, const Alignment& alignment, hw::Time jitter,
                        const PacketMemory& memory);

/// The packets that an aggregator keeps at most, at the member where it is most, when the sources' packets
/// are `interval` apart.
std::uint64_t packets_kept(Organization organization, const Alignment& alignment, hw::Time jitter,
                           hw::Time interval);

}  // namespace fredsim::agg
