#pragma once

#include <cstdint>

#include "hw/core/packet_format.h"
#include "hw/link/flow_statistics.h"
#include "hw/link/packet.h"
#include "hw/observe/probe.h"

namespace fredsim::hw {

class StallWatch;
class Timeline;
struct FlowReliability;

/// What all modules of one simulation share. It outlives them.
struct Context {
  Recorder& recorder;
  PacketPool& packets;
  FlowTable& flows;
  PacketFormat format;
  StallWatch* stalls = nullptr;               ///< null unless somebody wants to know of long stalls
  Timeline* timeline = nullptr;               ///< null unless a timeline is asked for
  const FlowReliability* reliable = nullptr;  ///< null unless flows are made reliable from end to end
  std::uint64_t kernel_events = 0;            ///< activations of the models' SC_METHODs
};

}  // namespace fredsim::hw
