#pragma once

#include "switch/microswitch/reducing_micro_switch.h"

namespace fredsim::sw {

/// RD-micro-switch (FRED fig. 7): two inputs and two outputs; reduces, copies, both or neither.
class RDMicroSwitch : public ReducingMicroSwitch {
 public:
  using ReducingMicroSwitch::ReducingMicroSwitch;

 private:
  bool can_copy() const override { return true; }
};

}  // namespace fredsim::sw
