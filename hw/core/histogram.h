#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "hw/core/quantity.h"

namespace fredsim::hw {

/// How a set of times is spread: exact count, minimum, maximum and mean; percentiles to within 1 %. Times are
/// counted in buckets of equal width within each power of two (128 of them, so a bucket is at most 1/128 of
/// its times wide); only the stretch of buckets between the smallest and the largest time is stored.
class LatencyHistogram {
 public:
  /// Throws InternalError for a negative time.
  void add(Time);
  /// As if everything added to `other` had been added here.
  void merge(const LatencyHistogram& other);

  std::uint64_t count() const { return count_; }
  /// Zero when nothing was added, as are mean() and percentile().
  Time min() const { return count_ == 0 ? Time() : min_; }
  Time max() const { return max_; }
  /// To the nearest femtosecond, ties upwards; exact at whatever count, since the sum is kept in 128 bits.
  Time mean() const;
  /// The nearest-rank percentile: the smallest time that at least `percent` (0 to 100) of all are not above.
  /// Within 1 %, never outside [min, max], exact at 0 and 100. Throws InternalError outside 0 to 100.
  Time percentile(double percent) const;

 private:
  __extension__ typedef unsigned __int128 Sum;

  void cover(std::size_t first, std::size_t last);

  std::uint64_t count_ = 0;
  Time min_ = Time::max();
  Time max_;
  Sum sum_ = 0;
  std::size_t first_bucket_ = 0;  ///< that counts_[0] stands for
  std::vector<std::uint64_t> counts_;
};

}  // namespace fredsim::hw
