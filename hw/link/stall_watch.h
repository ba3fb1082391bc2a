#pragma once

#include <cstdint>
#include <systemc>

#include "hw/core/quantity.h"
#include "hw/link/fifo.h"
#include "hw/observe/recorder.h"

namespace fredsim::hw {

/// Tells the recorder when something has waited longer than a limit, at the moment the limit passes (the
/// event "stall" that a waveform can begin at). There is one only when a waveform asks for it.
class StallWatch : public sc_core::sc_module {
 public:
  using Ticket = std::uint64_t;

  StallWatch(sc_core::sc_module_name name, Recorder& recorder, Time limit);

  /// Something waits from `since` on (now or later).
  Ticket begins(Time since);
  /// It moves on at `at` (now or later).
  void ends(Ticket ticket, Time at);

 private:
  struct Wait {
    Time since;
    Ticket ticket = 0;
    Time until = Time::max();
  };

  void check();
  void wake();

  Recorder& recorder_;
  Time limit_;
  Ticket next_ = 1;
  Fifo<Wait> waits_;  ///< by since
  bool told_ = false;
  sc_core::sc_event check_event_;
};

}  // namespace fredsim::hw
