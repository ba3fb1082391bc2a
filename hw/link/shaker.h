#pragma once

#include <systemc>

#include "hw/core/random.h"
#include "hw/link/protocol.h"
#include "hw/link/serialization.h"

namespace fredsim::hw {

struct ShakerConfig {
  std::uint64_t seed = 0;
  Bandwidth bandwidth;         ///< of the link
  Time delay;                  ///< the most that is added to a packet or a credit
  std::uint32_t slowdown = 1;  ///< the most packet times that the receiver takes for a packet
};

/// Random pressure on one direction of a link: delays packets and credits, and makes the receiver slow, as
/// much as the packet protocol allows. Bound between sender and link. Packets keep their order, with no less
/// than a serialisation between them. How hard it presses is drawn once a link (a third of the links are left
/// alone), the rest for each packet.
class Shaker : public sc_core::sc_module, private PacketSink, private CreditSink {
 public:
  PacketTargetSocket in;
  PacketInitiatorSocket out;

  Shaker(sc_core::sc_module_name name, const ShakerConfig& config);

 private:
  void packet_arrives(PortId port, Payload& payload, Time at) override;
  PortStatus port_status(PortId) override { return out.status(); }
  void credit_returns(PortId port, Payload& payload, Time at) override;
  Time some(Time most);

  Random random_;
  Serialization serialization_;
  Time packet_delay_;  ///< the most on this link
  Time credit_delay_;
  std::uint32_t slowdown_;
  Time last_tail_;    ///< of what has been sent on
  Time taken_until_;  ///< when the receiver has done with the last packet
};

}  // namespace fredsim::hw
