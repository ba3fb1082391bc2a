#pragma once

#include <cstdint>
#include <vector>

#include "hw/core/packet_format.h"
#include "tb/plan/plan.h"

namespace fredsim::tb {

/// Bytes of an element of a flow: of its dtype when it reduces, 1 otherwise.
std::uint32_t element_bytes_of(const hw::Flow&);
/// Packets of a flow: one for a control flow.
std::uint64_t packets_of(const hw::Flow&, const hw::PacketFormat&);

/// What crosses one link.
struct LinkTraffic {
  std::uint64_t bytes = 0;  ///< data packets with their headers
  std::uint64_t packets = 0;
  std::uint64_t control_packets = 0;
};
struct NpuTraffic {
  LinkTraffic sent, received;
};

/// The closed form of the traffic of every NPU (index = NpuId) for a run without losses: every flow crosses
/// the up link of each of its sources and the down link of each of its destinations once. Acknowledgements
/// are not counted.
std::vector<NpuTraffic> expected_traffic(const Plan&, const hw::PacketFormat&);

}  // namespace fredsim::tb
