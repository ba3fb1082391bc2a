#pragma once

#include <array>
#include <optional>
#include <string>
#include <systemc>
#include <vector>

#include "hw/link/context.h"
#include "hw/link/fifo.h"
#include "hw/link/transmitter.h"

namespace fredsim::sw {

/// Output port of a switch: room for a few packets of each virtual channel, reserved when a flow fires and
/// free again when the packet's tail has left on the link.
class OutputPort : public sc_core::sc_module, private hw::Transmitter::Client {
 public:
  /// The control unit, which waits for room.
  class Listener {
   public:
    /// A packet departs, now or later; its room is free at `from`.
    virtual void room_freed(hw::Time from) = 0;

   protected:
    ~Listener() = default;
  };

  hw::Transmitter transmitter;

  /// `lead`: packets are enqueued this long before their heads are here, or longer.
  OutputPort(sc_core::sc_module_name name, hw::Context& context, const std::string& path, hw::PortId port,
             hw::Bandwidth link_bandwidth, const hw::Capacities& receiver, std::uint32_t staging,
             hw::Time lead, Listener& listener);

  bool has_room(hw::VirtualChannel vc, hw::Time at);
  /// When room comes free; absent when that depends on a packet that has not departed yet.
  std::optional<hw::Time> next_room(hw::VirtualChannel vc) const;
  /// Keeps room for a packet of `vc` that will be enqueued.
  void reserve(hw::VirtualChannel vc, hw::Time at);

 private:
  struct Channel {
    std::uint32_t reserved = 0;  ///< packets fired and not departed
    hw::Fifo<hw::Time> leaving;  ///< when the tails of those that departed have left
  };

  void departed(hw::PortId port, const hw::Payload& payload, hw::Time tail_leaves) override;

  std::uint32_t staging_;
  Listener& listener_;
  std::array<Channel, hw::traffic_classes> channels_;
  std::vector<hw::Probe> occupancy_;
};

}  // namespace fredsim::sw
