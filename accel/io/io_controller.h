#pragma once

#include <systemc>
#include <vector>

#include "accel/npu/network_interface.h"
#include "accel/npu/npu_base.h"

namespace fredsim::accel {

/// An I/O controller at a port of a first-level switch (FRED sec. 6, 7.1): the end of its link, with the
/// buffers of its receive side. Streams of load and store operations are its program; without one it neither
/// sends nor expects anything.
class IoController : public sc_core::sc_module, private NetworkInterface::Listener {
 public:
  /// `config.id` counts the controllers, `config.path` names this one, "io0".
  IoController(sc_core::sc_module_name name, const NpuConfig& config, const NpuServices& services);

  hw::PacketInitiatorSocket& out() { return interface_.transmitter.out; }
  hw::PacketTargetSocket& in() { return interface_.in; }
  const hw::Transmitter& transmitter() const { return interface_.transmitter; }
  const std::vector<hw::VcBuffer>& buffers() const { return interface_.buffers(); }

 private:
  void part_starts(std::uint32_t) override {}
  void part_sent(std::uint32_t, hw::Time) override {}
  void part_received(std::uint32_t, hw::Time) override {}
  void packet_delivered(const Delivery&) override {}

  NpuConfig config_;
  Program program_;
  NetworkInterface interface_;
};

}  // namespace fredsim::accel
