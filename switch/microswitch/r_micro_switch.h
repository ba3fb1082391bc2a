#pragma once

#include "switch/microswitch/reducing_micro_switch.h"

namespace fredsim::sw {

/// R-micro-switch (FRED fig. 7): two inputs that it reduces onto one output, or passes each to an output of
/// its own.
class RMicroSwitch : public ReducingMicroSwitch {
 public:
  using ReducingMicroSwitch::ReducingMicroSwitch;

 private:
  bool can_copy() const override { return false; }
};

}  // namespace fredsim::sw
