#pragma once

#include <fmt/format.h>

#include <systemc>

#include "hw/core/error.h"
#include "hw/link/protocol.h"

namespace fredsim::hw {

/// Stands where nothing is connected, since SystemC wants every socket bound: sends nothing, and expects
/// nothing. A packet that arrives throws InternalError.
class Terminator : public sc_core::sc_module, private PacketSink, private CreditSink {
 public:
  PacketInitiatorSocket out{"out", *this};
  PacketTargetSocket in{"in", *this};

  explicit Terminator(sc_core::sc_module_name name) : sc_module(name) {}

 private:
  void packet_arrives(PortId, Payload& payload, Time at) override {
    throw InternalError(fmt::format("{} at {}: a packet of flow {} arrived where nothing is connected",
                                    this->name(), to_string(at), header_of(payload).flow.value));
  }
  PortStatus port_status(PortId) override { return {}; }
  void credit_returns(PortId, Payload&, Time) override {}
};

}  // namespace fredsim::hw
