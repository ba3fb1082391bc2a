#include "switch/microswitch/factory.h"

#include "switch/microswitch/d_micro_switch.h"
#include "switch/microswitch/r_micro_switch.h"
#include "switch/microswitch/rd_micro_switch.h"
#include "switch/microswitch/selector.h"

namespace fredsim::sw {

std::unique_ptr<MicroSwitch> make_micro_switch(sc_core::sc_module_name name, hw::Context& context,
                                               const MicroSwitchConfig& config, const ActiveCircuit& active) {
  switch (config.kind) {
    case ElementKind::r:
      return std::make_unique<RMicroSwitch>(name, context, config, active);
    case ElementKind::d:
      return std::make_unique<DMicroSwitch>(name, context, config, active);
    case ElementKind::rd:
      return std::make_unique<RDMicroSwitch>(name, context, config, active);
    case ElementKind::demux:
    case ElementKind::mux:
      return std::make_unique<Selector>(name, context, config, active);
  }
  return nullptr;
}

}  // namespace fredsim::sw
