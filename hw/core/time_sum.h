#pragma once

#include "hw/core/quantity.h"

namespace fredsim::hw {

/// A sum of spans of time that overlap, such as what all packets of a flow have waited: it outgrows the range
/// of simulated time long before simulated time does (100 000 packets behind one another in an unlimited
/// buffer). Exact.
class TimeSum {
 public:
  constexpr TimeSum() = default;
  constexpr TimeSum(Time span) : fs_(span.fs()) {}  // NOLINT: a span is a sum of one

  TimeSum& operator+=(Time span) {
    fs_ += span.fs();
    return *this;
  }
  constexpr double ns() const { return static_cast<double>(fs_) / 1e6; }

  friend TimeSum operator+(TimeSum a, TimeSum b) {
    a.fs_ += b.fs_;
    return a;
  }
  friend constexpr bool operator<(TimeSum a, TimeSum b) { return a.fs_ < b.fs_; }
  friend constexpr bool operator==(TimeSum a, TimeSum b) { return a.fs_ == b.fs_; }

 private:
  __extension__ typedef __int128 Femtoseconds;

  Femtoseconds fs_ = 0;
};

}  // namespace fredsim::hw
