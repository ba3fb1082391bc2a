#pragma once

#include <functional>
#include <memory>

#include "switch/microswitch/micro_switch.h"

namespace fredsim::sw {

/// Makes the micro-switch for one place of an interconnect; a user's own takes the place of ours.
using MicroSwitchFactory = std::function<std::unique_ptr<MicroSwitch>(
    sc_core::sc_module_name, hw::Context&, const MicroSwitchConfig&, const ActiveCircuit&)>;

/// RMicroSwitch, DMicroSwitch, RDMicroSwitch or Selector, by `config.kind`.
std::unique_ptr<MicroSwitch> make_micro_switch(sc_core::sc_module_name name, hw::Context& context,
                                               const MicroSwitchConfig& config, const ActiveCircuit& active);

}  // namespace fredsim::sw
