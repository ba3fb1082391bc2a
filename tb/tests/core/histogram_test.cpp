#include "hw/core/histogram.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>

#include "hw/core/error.h"

namespace fredsim::hw {
namespace {

constexpr double percents[] = {0, 0.1, 1, 10, 25, 50, 75, 90, 95, 99, 99.9, 100};

/// The nearest-rank percentile of sorted times, to hold the histogram's against.
std::int64_t percentile_of(const std::vector<std::int64_t>& sorted, double percent) {
  const auto n = static_cast<double>(sorted.size());
  const auto rank = static_cast<std::size_t>(std::max(1.0, std::ceil(percent * n / 100)));
  return sorted[rank - 1];
}

void expect_like(const LatencyHistogram& histogram, std::vector<std::int64_t> times) {
  std::sort(times.begin(), times.end());
  ASSERT_EQ(histogram.count(), times.size());
  EXPECT_EQ(histogram.min().fs(), times.front());
  EXPECT_EQ(histogram.max().fs(), times.back());
  long double sum = 0;
  for (const std::int64_t t : times) sum += static_cast<long double>(t);
  const double mean = static_cast<double>(sum / static_cast<long double>(times.size()));
  EXPECT_NEAR(static_cast<double>(histogram.mean().fs()), mean, 0.5 + mean * 1e-15);
  for (const double p : percents) {
    const auto exact = static_cast<double>(percentile_of(times, p));
    EXPECT_NEAR(static_cast<double>(histogram.percentile(p).fs()), exact, exact * 0.01) << p;
    EXPECT_GE(histogram.percentile(p), histogram.min());
    EXPECT_LE(histogram.percentile(p), histogram.max());
  }
}

TEST(Histogram, EmptyIsZero) {
  const LatencyHistogram h;
  EXPECT_EQ(h.count(), 0u);
  for (const Time t : {h.min(), h.max(), h.mean(), h.percentile(50)}) EXPECT_EQ(t, Time());
}

TEST(Histogram, AgreesWithSorting) {
  constexpr std::uint64_t seed = 7;
  SCOPED_TRACE(seed);
  std::mt19937_64 random(seed);
  for (const int bits : {3, 8, 9, 24, 40, 63}) {
    for (const std::size_t count : {1, 2, 3, 100, 9999}) {
      LatencyHistogram h;
      std::vector<std::int64_t> times;
      for (std::size_t i = 0; i < count; ++i) {
        // Uniform in the number of bits, so that every octave is met.
        times.push_back(
            static_cast<std::int64_t>(random() >> (64 - bits + random() % static_cast<unsigned>(bits))));
        h.add(Time::fs(times.back()));
      }
      expect_like(h, times);
    }
  }
}

TEST(Histogram, SmallTimesAreExact) {
  LatencyHistogram h;
  for (int t = 0; t < 256; ++t) h.add(Time::fs(t));
  for (int t = 1; t <= 256; ++t) EXPECT_EQ(h.percentile(t * 100.0 / 256).fs(), t - 1);
}

TEST(Histogram, EveryBucketBoundaryIsWithinOnePercent) {
  for (int octave = 8; octave < 63; ++octave) {
    const std::int64_t width = std::int64_t{1} << (octave - 7);
    for (std::int64_t m = 128; m < 256; ++m) {
      for (const std::int64_t t : {m * width, m * width + (width - 1)}) {
        LatencyHistogram h;
        h.add(Time());
        h.add(Time::fs(t));
        h.add(Time::max());
        const auto found = static_cast<double>(h.percentile(50).fs());
        ASSERT_NEAR(found, static_cast<double>(t), static_cast<double>(t) * 0.01);
      }
    }
  }
}

TEST(Histogram, MergingIsAddingAll) {
  constexpr std::uint64_t seed = 11;
  SCOPED_TRACE(seed);
  std::mt19937_64 random(seed);
  LatencyHistogram merged;
  std::vector<std::int64_t> times;
  for (int part = 0; part < 6; ++part) {
    LatencyHistogram h;
    const int shift = 10 * ((part * 5) % 6);  // below, above and within what is there
    for (int i = 0; i < part * 100; ++i) {    // the first one is empty
      times.push_back(static_cast<std::int64_t>((random() & 0xffff) >> 8 << shift));
      h.add(Time::fs(times.back()));
    }
    merged.merge(h);
  }
  expect_like(merged, times);
}

TEST(Histogram, TheMeanDoesNotOverflow) {
  LatencyHistogram h;
  for (int i = 0; i < 1000; ++i) h.add(Time::max());
  EXPECT_EQ(h.mean(), Time::max());
  EXPECT_EQ(h.percentile(99), Time::max());
}

TEST(Histogram, MisuseIsAnInternalError) {
  LatencyHistogram h;
  EXPECT_THROW(h.add(Time::fs(-1)), InternalError);
  EXPECT_THROW(h.percentile(-1), InternalError);
  EXPECT_THROW(h.percentile(100.5), InternalError);
  EXPECT_THROW(h.percentile(std::nan("")), InternalError);
}

}  // namespace
}  // namespace fredsim::hw
