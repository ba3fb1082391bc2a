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
  /// Called with the time and with that of the next event, before which nothing happens. Says whether the
  /// simulation is to go on.
  using Look = std::function<bool(hw::Time at, hw::Time upcoming)>;

  /// `look` is called at the multiples of `period` (above 0) while the simulation goes on; of several without
  /// an event between them, at the first.
  void every(hw::Time period, Look look);

  /// Until nothing is left to happen, `until`, or a look that ends it. Returns whether a look did.
  bool run(std::optional<hw::Time> until);

 private:
  struct Period {
    hw::Time period;
    Look look;
    hw::Time next;
  };
  std::vector<Period> periods_;
};

}  // namespace fredsim::tb
