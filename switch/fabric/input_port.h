#pragma once

#include <string>
#include <systemc>
#include <vector>

#include "hw/link/context.h"
#include "hw/link/protocol.h"
#include "hw/link/serialization.h"
#include "hw/link/vc_buffer.h"

namespace fredsim::sw {

/// Input port of a switch: a buffer for each virtual channel, and the credits for it.
class InputPort : public sc_core::sc_module, private hw::PacketSink {
 public:
  /// The control unit, which decides about what comes in.
  class Listener {
   public:
    /// A data packet is now the first of its virtual channel.
    virtual void head_exposed(hw::PortId port, hw::VirtualChannel vc) = 0;
    /// A control packet's head arrives at `at`; the listener takes it out at once.
    virtual void control_arrives(hw::PortId port, const hw::Payload& payload, hw::Time at) = 0;

   protected:
    ~Listener() = default;
  };

  hw::PacketTargetSocket in;

  InputPort(sc_core::sc_module_name name, hw::Context& context, const std::string& path, hw::PortId port,
            hw::Bandwidth link_bandwidth, const hw::Capacities& buffers, Listener& listener);

  hw::VcBuffer& buffer(hw::VirtualChannel vc) { return buffers_[hw::index(vc)]; }
  const hw::VcBuffer& buffer(hw::VirtualChannel vc) const { return buffers_[hw::index(vc)]; }
  /// When the first packet's tail arrives.
  hw::Time tail_arrival(hw::VirtualChannel vc);
  /// Takes out the first packet of a channel; its tail leaves at `tail_leaves`, and its credit with it.
  hw::PacketRef pop(hw::VirtualChannel vc, hw::Time tail_leaves);

 private:
  void packet_arrives(hw::PortId port, hw::Payload& payload, hw::Time at) override;
  hw::PortStatus port_status(hw::PortId port) override;

  hw::PortId port_;
  hw::Serialization serialization_;
  Listener& listener_;
  std::vector<hw::VcBuffer> buffers_;
};

}  // namespace fredsim::sw
