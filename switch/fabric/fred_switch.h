#pragma once

#include <memory>
#include <string>
#include <systemc>
#include <vector>

#include "switch/fabric/control_unit.h"
#include "switch/fabric/input_port.h"
#include "switch/fabric/interconnect.h"
#include "switch/fabric/output_port.h"
#include "switch/fabric/switch_config.h"
#include "switch/fabric/switch_plan.h"
#include "switch/microswitch/factory.h"
#include "switch/route/structure.h"

namespace fredsim::sw {

/// Parts of a switch that a user may replace.
struct SwitchParts {
  MicroSwitchFactory micro_switch;  ///< empty: make_micro_switch
  ArbiterFactory arbiter;           ///< empty: PriorityArbiter
};

/// A FRED switch (FRED sec. 5 and 6.2.3): input ports with virtual-channel buffers, the interconnect
/// FRED_m(P), output ports with staging, and the control unit.
class FredSwitch : public sc_core::sc_module {
 public:
  /// `plan` and `context` must outlive the switch. The interconnect is built of modules only in the
  /// `microswitch` abstraction, so a micro-switch of a user's own works there only.
  FredSwitch(sc_core::sc_module_name name, hw::Context& context, const SwitchConfig& config,
             const SwitchPlan& plan, const SwitchParts& parts = {});

  /// Sockets and parts of a port; InternalError where nothing is connected.
  hw::PacketTargetSocket& in(hw::PortId port) { return input(port).in; }
  hw::PacketInitiatorSocket& out(hw::PortId port) { return output(port).transmitter.out; }
  InputPort& input(hw::PortId port) { return part(inputs_, port); }
  OutputPort& output(hw::PortId port) { return part(outputs_, port); }
  bool connected(hw::PortId port) const { return config_.ports.at(port.value).connected; }

  const SwitchConfig& config() const { return config_; }
  const SwitchPlan& plan() const { return plan_; }
  const Structure& structure() const { return structure_; }
  /// Counted up to `end`, which is now or later.
  SwitchStatistics statistics(hw::Time end = hw::now()) const { return control_->statistics(end); }
  /// As ControlUnit::other_route_set.
  hw::TimeSum other_route_set(hw::FlowId flow, hw::Time end) const {
    return control_->other_route_set(flow, end);
  }
  MicroSwitchCounts micro_switch_counts() const { return interconnect_->counts(); }
  std::vector<MissingPartners> missing_partners() const { return control_->missing_partners(); }
  std::vector<hw::FlowId> kept_waiting() const { return control_->kept_waiting(); }

 private:
  template <class Part>
  Part& part(const std::vector<std::unique_ptr<Part>>& parts, hw::PortId port) const {
    if (!connected(port)) no_port(port);
    return *parts[port.value];
  }
  [[noreturn]] void no_port(hw::PortId port) const;

  SwitchConfig config_;
  const SwitchPlan& plan_;
  Structure structure_;
  std::vector<std::unique_ptr<InputPort>> inputs_;
  std::vector<std::unique_ptr<OutputPort>> outputs_;
  std::unique_ptr<Interconnect> interconnect_;
  std::unique_ptr<ControlUnit> control_;
};

}  // namespace fredsim::sw
