#pragma once

#include "switch/microswitch/micro_switch.h"

namespace fredsim::sw {

/// D-micro-switch (FRED fig. 7): copies one input to both of its outputs, or passes each input to an output
/// of its own.
class DMicroSwitch : public MicroSwitch {
 public:
  using MicroSwitch::MicroSwitch;

 private:
  hw::PacketRef process(const std::vector<hw::PacketRef>& operands) override { return operands[0]; }
  bool can_reduce() const override { return false; }
  bool can_copy() const override { return true; }
};

}  // namespace fredsim::sw
