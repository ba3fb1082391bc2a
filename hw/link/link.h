#pragma once

#include <algorithm>
#include <string>
#include <systemc>

#include "hw/core/quantity.h"
#include "hw/link/context.h"
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
    Time busy;  ///< the whole of the last packet included
  };

  PacketTargetSocket in;
  PacketInitiatorSocket out;

  Link(sc_core::sc_module_name name, Context& context, const std::string& path, const LinkConfig& config);

  const std::string& path() const { return path_; }
  const LinkConfig& config() const { return config_; }
  const Traffic& traffic() const { return traffic_; }
  /// How long packets have been entering the link up to `end`; the last one may still be at it.
  Time busy(Time end) const { return traffic_.busy - std::max(last_tail_ - end, Time()); }

 private:
  void packet_arrives(PortId port, Payload& payload, Time at) override;
  PortStatus port_status(PortId port) override;
  void credit_returns(PortId port, Payload& payload, Time at) override;

  std::string path_;
  LinkConfig config_;
  Serialization serialization_;
  Traffic traffic_;
  Time last_tail_;  ///< when the last packet has entered
  Probe busy_;
  Probe sequence_;
};

}  // namespace fredsim::hw
