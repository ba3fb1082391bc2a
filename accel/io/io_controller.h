#pragma once

#include <memory>
#include <systemc>
#include <vector>

#include "accel/npu/network_interface.h"
#include "accel/npu/npu.h"
#include "accel/npu/npu_base.h"

namespace fredsim::accel {

/// An I/O controller at the edge of a fabric (FRED sec. 6, 7.1). Streams of load operations are its program;
/// without one it is the end of its link, with the buffers of its receive side, and neither sends nor expects
/// anything.
class IoController : public sc_core::sc_module, private NetworkInterface::Listener {
 public:
  /// `config.path` names this one, "io0". `program` must outlive it.
  IoController(sc_core::sc_module_name name, const NpuConfig& config, const Program& program,
               const NpuServices& services);

  hw::PacketInitiatorSocket& out() { return interface_ ? interface_->transmitter.out : streams_->out(); }
  hw::PacketTargetSocket& in() { return interface_ ? interface_->in : streams_->in(); }
  const hw::Transmitter& transmitter() const {
    return interface_ ? interface_->transmitter : *streams_->transmitter();
  }
  std::vector<const hw::VcBuffer*> buffers() const;
  std::vector<UnfinishedPart> unfinished() const {
    return streams_ ? streams_->unfinished() : std::vector<UnfinishedPart>();
  }

 private:
  void part_starts(std::uint32_t) override {}
  void part_sent(std::uint32_t, hw::Time) override {}
  void part_received(std::uint32_t, hw::Time) override {}
  void packet_delivered(const Delivery&) override {}

  NpuConfig config_;
  const Program& program_;
  std::unique_ptr<NetworkInterface> interface_;  ///< without a program
  std::unique_ptr<Npu> streams_;                 ///< with one
};

}  // namespace fredsim::accel
