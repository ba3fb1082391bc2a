#pragma once

#include <cstddef>

#include "hw/core/packet_format.h"
#include "hw/link/context.h"
#include "hw/link/flow_statistics.h"
#include "hw/link/packet.h"
#include "hw/link/sim_time.h"
#include "hw/observe/recorder.h"

namespace fredsim::hw {

/// What the modules of one simulation share, for a testbench that makes its modules itself (tb::Simulation
/// has its own). Make it before any module: it sets the time resolution, and all of them refer to it.
struct Environment {
  /// `flow_count`: flow ids are below it. `format`: the largest packets there are.
  explicit Environment(std::size_t flow_count, const PacketFormat& format = {})
      : packets(format.bytes), flows(flow_count), context{recorder, packets, flows, format} {
    set_time_resolution();
  }
  Environment(const Environment&) = delete;
  Environment& operator=(const Environment&) = delete;

  Recorder recorder{now};
  PacketPool packets;
  FlowTable flows;
  Context context;
};

}  // namespace fredsim::hw
