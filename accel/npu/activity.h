#pragma once

#include <array>
#include <cstdint>

#include "accel/npu/npu_base.h"
#include "hw/core/records.h"

namespace fredsim::accel {

/// Adds up how long an NPU computes, and how long it waits for communication of each kind without computing.
class Activity {
 public:
  void compute_starts(hw::Time at) { advance(at), ++computing_; }
  void compute_ends(hw::Time at) { advance(at), --computing_; }
  void communication_starts(Exposure kind, hw::Time at) { advance(at), ++under_way_[index(kind)]; }
  void communication_ends(Exposure kind, hw::Time at) { advance(at), --under_way_[index(kind)]; }

  NpuTimes times(hw::Time end) const {
    Activity copy = *this;
    copy.advance(end);
    return copy.times_;
  }

 private:
  static std::size_t index(Exposure kind) { return static_cast<std::size_t>(kind); }
  void advance(hw::Time at) {
    const hw::Time span = at - since_;
    since_ = at;
    if (computing_ > 0) {
      times_.compute += span;
      return;
    }
    for (std::size_t kind = 0; kind < exposures; ++kind) {
      if (under_way_[kind] == 0) continue;
      times_.exposed[kind] += span;
      return;
    }
  }

  std::uint32_t computing_ = 0;  ///< one on the engine, and any that take no time
  std::array<std::uint32_t, exposures> under_way_{};
  hw::Time since_;
  NpuTimes times_;
};

}  // namespace fredsim::accel
