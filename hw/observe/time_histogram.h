#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "hw/core/quantity.h"

namespace fredsim::hw {

/// How long a level stood in each of at most 64 ranges of equal width: range i is from i x width up to, but
/// not including, (i + 1) x width. A level beyond the last range doubles the width, two old ranges becoming
/// one, so that memory stays the same and no time is lost.
class TimeHistogram {
 public:
  /// Throws InternalError for a width below 1.
  explicit TimeHistogram(std::int64_t width);

  /// The level stood at `value` (not below 0) for `span_fs`; a negative one takes back time added before.
  void add(std::int64_t value, std::int64_t span_fs) {
    if (span_fs == 0) return;
    while (value / width_ >= static_cast<std::int64_t>(ranges)) fold();
    spans_[static_cast<std::size_t>(value / width_)] += span_fs;
  }

  std::int64_t width() const { return width_; }
  /// By range; those above the highest level that took time are left out.
  std::vector<Time> spans() const;

 private:
  static constexpr std::size_t ranges = 64;
  void fold();

  std::int64_t width_;
  std::array<std::int64_t, ranges> spans_{};
};

}  // namespace fredsim::hw
