#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "hw/core/quantity.h"

namespace fredsim::tb {

/// Runs the simulation and stops it at multiples of some periods for somebody to look at it. A stop is no
/// event: it wakes nothing and keeps nothing going.
class Stops {
 public:
  /// Called with the time and with that of the next event or stop, before which nothing happens. Says whether
  /// the simulation is to go on.
  using Look = std::function<bool(hw::Time at, hw::Time upcoming)>;

  /// `look` is called at the multiples of `period` (above 0) while the simulation goes on; of several without
  /// an event or stop between them, at the first. Of two at the same time the one that was given first goes
  /// first; when it ends the run there is no second.
  void every(hw::Time period, Look look);

  /// Until nothing is left to happen, `until`, or a look that ends it: then the time of that is returned. The
  /// kernel's clock stays at the last event.
  std::optional<hw::Time> run(std::optional<hw::Time> until);

 private:
  struct Period {
    hw::Time period;
    Look look;
    hw::Time next;
  };
  std::vector<Period> periods_;
};

}  // namespace fredsim::tb
