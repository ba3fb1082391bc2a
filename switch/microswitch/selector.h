#pragma once

#include "switch/microswitch/micro_switch.h"

namespace fredsim::sw {

/// The demux that leads the odd last input port to one of the middle switches, or the mux that leads them to
/// the odd last output port (FRED sec. 4). It only passes; its hop counts like that of the R or D it stands
/// beside.
class Selector : public MicroSwitch {
 public:
  using MicroSwitch::MicroSwitch;

 private:
  hw::PacketRef process(const std::vector<hw::PacketRef>& operands) override { return operands[0]; }
  bool can_reduce() const override { return false; }
  bool can_copy() const override { return false; }
};

}  // namespace fredsim::sw
