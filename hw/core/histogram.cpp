#include "hw/core/histogram.h"

#include <algorithm>
#include <cmath>

#include "hw/core/error.h"

namespace fredsim::hw {
namespace {

constexpr int mantissa_bits = 7;
constexpr std::uint64_t buckets_per_octave = std::uint64_t{1} << mantissa_bits;

/// Times below 2^8 have a bucket each; above, a bucket holds those that agree in the highest 8 bits. The
/// bucket's number is those bits plus 128 for each bit that is cut off, and so has no gaps.
std::size_t bucket_of(std::uint64_t time) {
  const int width = 64 - __builtin_clzll(time | 1);
  const int cut = std::max(width - (mantissa_bits + 1), 0);
  return static_cast<std::size_t>(cut) * buckets_per_octave + static_cast<std::size_t>(time >> cut);
}

/// The middle of a bucket.
std::uint64_t middle_of(std::size_t bucket) {
  if (bucket < 2 * buckets_per_octave) return bucket;
  const std::uint64_t cut = bucket / buckets_per_octave - 1;
  const std::uint64_t mantissa = bucket % buckets_per_octave + buckets_per_octave;
  return (mantissa << cut) + ((std::uint64_t{1} << cut) - 1) / 2;
}

}  // namespace

void LatencyHistogram::cover(std::size_t first, std::size_t last) {
  if (counts_.empty()) first_bucket_ = first;
  if (first < first_bucket_) {
    counts_.insert(counts_.begin(), first_bucket_ - first, 0);
    first_bucket_ = first;
  }
  if (last >= first_bucket_ + counts_.size()) counts_.resize(last - first_bucket_ + 1);
}

void LatencyHistogram::add(Time time) {
  if (time < Time()) throw InternalError("a latency is negative: " + to_string(time));
  const auto fs = static_cast<std::uint64_t>(time.fs());
  const std::size_t bucket = bucket_of(fs);
  cover(bucket, bucket);
  ++counts_[bucket - first_bucket_];
  ++count_;
  sum_ += fs;
  min_ = std::min(min_, time);
  max_ = std::max(max_, time);
}

void LatencyHistogram::merge(const LatencyHistogram& other) {
  if (other.count_ == 0) return;
  cover(other.first_bucket_, other.first_bucket_ + other.counts_.size() - 1);
  for (std::size_t i = 0; i < other.counts_.size(); ++i) {
    counts_[other.first_bucket_ - first_bucket_ + i] += other.counts_[i];
  }
  count_ += other.count_;
  sum_ += other.sum_;
  min_ = std::min(min_, other.min_);
  max_ = std::max(max_, other.max_);
}

Time LatencyHistogram::mean() const {
  if (count_ == 0) return Time();
  return Time::fs(static_cast<std::int64_t>((sum_ + count_ / 2) / count_));
}

Time LatencyHistogram::percentile(double percent) const {
  if (!(percent >= 0 && percent <= 100)) throw InternalError("a percentile outside 0 to 100");
  if (count_ == 0 || percent == 0) return min();
  if (percent == 100) return max();
  const auto rank = static_cast<std::uint64_t>(std::ceil(percent * static_cast<double>(count_) / 100));
  std::uint64_t seen = 0;
  std::size_t i = 0;
  while (i + 1 < counts_.size() && (seen += counts_[i]) < rank) ++i;
  const Time middle = Time::fs(static_cast<std::int64_t>(middle_of(first_bucket_ + i)));
  return std::clamp(middle, min_, max_);
}

}  // namespace fredsim::hw
