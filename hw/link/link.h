#pragma once

#include <string>
#include <systemc>

#include "hw/core/quantity.h"
#include "hw/link/context.h"
#include "hw/link/fifo.h"
#include "hw/link/protocol.h"
#include "hw/link/serialization.h"

namespace fredsim::hw {

struct LinkConfig {
  Bandwidth bandwidth;
  Time latency;  ///< one way, of packets and of credits
};

/// One direction of a channel between two ports: adds its latency to what passes, counts and shows it. The
/// sender serialises packets at the link's bandwidth.
class Link : public sc_core::sc_module, private PacketSink, private CreditSink {
 public:
  struct Traffic {
    std::uint64_t packets = 0;  ///< of data
    std::uint64_t bytes = 0;    ///< of data packets, headers included
    std::uint64_t control_packets = 0;
    std::uint64_t control_bytes = 0;
  };

  PacketTargetSocket in;
  PacketInitiatorSocket out;

  Link(sc_core::sc_module_name name, Context& context, const std::string& path, const LinkConfig& config);

  const std::string& path() const { return path_; }
  const LinkConfig& config() const { return config_; }
  /// The packets whose heads have entered before `end`, which is now or later.
  Traffic traffic(Time end) const;
  /// How long packets have been entering the link up to `end`; the last one may still be at it.
  Time busy(Time end) const;

 private:
  /// A packet whose head was announced before it entered, and whose tail has yet to.
  struct Ahead {
    Time head, tail;
    std::uint32_t bytes = 0;
    bool control = false;
  };

  void packet_arrives(PortId port, Payload& payload, Time at) override;
  PortStatus port_status(PortId port) override;
  void credit_returns(PortId port, Payload& payload, Time at) override;

  std::string path_;
  LinkConfig config_;
  Serialization serialization_;
  Traffic traffic_;  ///< with what has been announced
  Time busy_time_;   ///< as well
  Time last_tail_;   ///< when the last packet has entered, or will have
  Fifo<Ahead> ahead_;
  Probe busy_;
  Probe sequence_;
};

}  // namespace fredsim::hw
