#pragma once

#include <array>
#include <cstdint>

#include "accel/npu/npu_base.h"
#include "hw/core/records.h"

namespace fredsim::accel {

/// Adds up how long an NPU computes, and how long it waits for communication of each class without computing.
class Activity {
 public:
  void compute_starts(hw::Time at) { advance(at), ++computing_; }
  void compute_ends(hw::Time at) { advance(at), --computing_; }
  void communication_starts(hw::TrafficClass c, hw::Time at) { advance(at), ++under_way_[hw::index(c)]; }
  void communication_ends(hw::TrafficClass c, hw::Time at) { advance(at), --under_way_[hw::index(c)]; }

  NpuTimes times(hw::Time end) const {
    Activity copy = *this;
    copy.advance(end);
    return copy.times_;
  }

 private:
  void advance(hw::Time at) {
    const hw::Time span = at - since_;
    since_ = at;
    if (computing_ > 0) {
      times_.compute += span;
      return;
    }
    for (std::size_t c = 0; c < hw::traffic_classes; ++c) {
      if (under_way_[c] == 0) continue;
      times_.exposed[c] += span;
      return;
    }
  }

  std::uint32_t computing_ = 0;  ///< one on the engine, and any that take no time
  std::array<std::uint32_t, hw::traffic_classes> under_way_{};
  hw::Time since_;
  NpuTimes times_;
};

}  // namespace fredsim::accel
