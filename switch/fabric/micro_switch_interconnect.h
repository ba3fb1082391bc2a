#pragma once

#include <memory>
#include <systemc>
#include <vector>

#include "switch/fabric/interconnect.h"
#include "switch/microswitch/factory.h"
#include "switch/route/settings.h"
#include "switch/route/structure.h"

namespace fredsim::sw {

/// The interconnect as modules: every micro-switch of FRED_m(P), wired by sockets.
class MicroSwitchInterconnect : public sc_core::sc_module,
                                public Interconnect,
                                private hw::PacketSink,
                                private hw::CreditSink {
 public:
  /// `path` names it in waveforms. Elements are named as in Structure.
  MicroSwitchInterconnect(sc_core::sc_module_name name, hw::Context& context, const std::string& path,
                          const Structure& structure, hw::Time hop_latency, hw::Bandwidth bandwidth,
                          const MicroSwitchFactory& factory);

  void lay(CircuitId circuit, const PortFlow& flow, const Route& route) override;
  void fire(CircuitId circuit, const std::vector<hw::PacketRef>& operands,
            std::vector<Emergence>& emerged) override;
  MicroSwitchCounts counts() const override;

 private:
  struct Circuit {
    std::vector<hw::PortId> inputs;
    std::vector<ElementSetting> settings;
  };

  void packet_arrives(hw::PortId port, hw::Payload& payload, hw::Time at) override;
  hw::PortStatus port_status(hw::PortId) override { return {}; }
  void credit_returns(hw::PortId port, hw::Payload& payload, hw::Time at) override;

  Structure structure_;
  ActiveCircuit active_;
  std::vector<std::unique_ptr<MicroSwitch>> elements_;
  std::vector<std::unique_ptr<hw::PacketInitiatorSocket>> entries_;  ///< by input port
  std::vector<std::unique_ptr<hw::PacketTargetSocket>> exits_;       ///< by output port
  std::vector<Circuit> circuits_;
  std::vector<Emergence>* emerged_ = nullptr;  ///< of the flow being fired
};

}  // namespace fredsim::sw
