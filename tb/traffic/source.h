#pragma once

#include <cstdint>
#include <systemc>
#include <unordered_map>
#include <vector>

#include "accel/npu/npu_base.h"
#include "hw/core/histogram.h"
#include "hw/link/fifo.h"
#include "hw/link/serialization.h"
#include "hw/link/transmitter.h"
#include "hw/link/vc_buffer.h"

namespace fredsim::tb {

/// What all sources of synthetic traffic share.
struct TrafficRun {
  hw::Time warm_up;
  hw::Time window;    ///< packets that arise in it, behind the warm-up, are measured
  hw::Time mean_gap;  ///< between the packets of one source; zero: none
  std::uint64_t seed = 1;
  /// By OperationId: how likely a source sends by the flow of this send; in each source's program they add up
  /// to 1.
  std::vector<double> share_of_send;

  std::uint64_t offered = 0;     ///< packets that arose in the window
  std::uint64_t accepted = 0;    ///< packets that arrived in the window, whenever they arose
  std::uint64_t arrived = 0;     ///< of those that arose in the window
  hw::LatencyHistogram latency;  ///< of these, from when they arose to the arrival of the tail

  hw::Time window_end() const { return warm_up + window; }
};

/// An NPU that sends packets at random times (a Poisson process) over the flows of its program's sends, and
/// takes what arrives at once. What cannot leave waits in a queue without limit, and its latency counts from
/// when it arose.
class TrafficSource : public accel::NpuBase, private hw::Transmitter::Client, private hw::PacketSink {
 public:
  TrafficSource(sc_core::sc_module_name name, const accel::NpuConfig& config, const accel::Program& program,
                const accel::NpuServices& services, TrafficRun& run);

  hw::PacketInitiatorSocket& out() override { return transmitter_.out; }
  hw::PacketTargetSocket& in() override { return in_; }
  accel::NpuTimes times(hw::Time) const override { return {}; }
  std::vector<accel::UnfinishedPart> unfinished() const override { return {}; }
  std::vector<const hw::VcBuffer*> buffers() const override;
  const hw::Transmitter* transmitter() const override { return &transmitter_; }

 private:
  struct Choice {
    double up_to = 0;  ///< sum of the shares so far
    hw::FlowId flow;
    hw::VirtualChannel vc = hw::VirtualChannel::dp;
    std::uint64_t sent = 0;  ///< packets
  };
  struct Waiting {
    hw::Time arose;
    std::uint32_t choice = 0;
  };

  void arise();
  void inject();
  hw::Time gap();
  double random();
  void departed(hw::PortId port, const hw::Payload& payload, hw::Time tail_leaves) override;
  void packet_arrives(hw::PortId port, hw::Payload& payload, hw::Time at) override;
  hw::PortStatus port_status(hw::PortId port) override;

  accel::NpuServices services_;
  TrafficRun& run_;
  hw::Transmitter transmitter_;
  hw::PacketTargetSocket in_;
  hw::Serialization serialization_;
  std::vector<hw::VcBuffer> buffers_;
  std::vector<Choice> choices_;
  hw::Fifo<Waiting> queue_;
  std::unordered_map<hw::FlowId, std::uint64_t> expected_;  ///< next sequence number
  std::uint64_t state_;
  sc_core::sc_event arise_event_;
};

}  // namespace fredsim::tb
