#pragma once

#include "switch/microswitch/micro_switch.h"
#include "switch/microswitch/reduction_alu.h"

namespace fredsim::sw {

/// What R- and RD-micro-switches have in common: an ALU for the two inputs.
class ReducingMicroSwitch : public MicroSwitch {
 public:
  ReducingMicroSwitch(sc_core::sc_module_name name, hw::Context& context, const MicroSwitchConfig& config,
                      const ActiveCircuit& active)
      : MicroSwitch(name, context, config, active), alu_(context, config.path) {}

 private:
  hw::PacketRef process(const std::vector<hw::PacketRef>& operands) override {
    return operands.size() == 1 ? operands[0] : alu_.reduce(*operands[0], *operands[1]);
  }
  bool can_reduce() const override { return true; }

  ReductionAlu alu_;
};

}  // namespace fredsim::sw
