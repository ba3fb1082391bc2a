#pragma once

#include <array>
#include <cstdint>
#include <ostream>
#include <string>
#include <vector>

#include "hw/core/quantity.h"
#include "tb/systems/system.h"

namespace fredsim::tb {

/// Writes a CSV of link use, occupancy and stalls for each interval of a run: one line an interval, thing and
/// quantity, `start_ns,end_ns,name,quantity,value`, zeros left out. What it writes of a quantity adds up to
/// the total in the result file. Stretches without events in which all is zero may be one longer interval.
class Intervals {
 public:
  /// Both must outlive it.
  Intervals(const System& system, hw::Time period, std::ostream& out);

  hw::Time period() const { return period_; }
  /// The simulation stands at `at`, the end of an interval; nothing happens before `upcoming`.
  void look(hw::Time at, hw::Time upcoming);
  /// The run has ended; what is known to happen up to `end` counts.
  void finish(hw::Time end);

 private:
  /// What has been counted up to the beginning of the interval, in the order of writing.
  using Counts = std::vector<double>;

  /// Returns whether anything was written.
  bool write(hw::Time end);
  void write_up_to(hw::Time last);
  template <class Line>
  void for_each(hw::Time end, Line line) const;

  const System& system_;
  hw::Time period_;
  std::ostream& out_;
  hw::Time start_;  ///< of the interval that is under way
  Counts before_;
};

}  // namespace fredsim::tb
