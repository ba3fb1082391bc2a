#include <gtest/gtest.h>

#include "hw/observe/probe.h"
#include "hw/observe/recorder.h"
#include "hw/observe/time_histogram.h"

namespace fredsim::hw {
namespace {

std::vector<std::int64_t> fs_of(const TimeHistogram& histogram) {
  std::vector<std::int64_t> spans;
  for (const Time span : histogram.spans()) spans.push_back(span.fs());
  return spans;
}

TEST(TimeHistogram, AddsUpTimeByRange) {
  TimeHistogram histogram(10);
  histogram.add(0, 5);
  histogram.add(9, 7);
  histogram.add(10, 3);
  histogram.add(639, 2);
  EXPECT_EQ(histogram.width(), 10);
  const auto spans = fs_of(histogram);
  ASSERT_EQ(spans.size(), 64u);
  EXPECT_EQ(spans[0], 12);
  EXPECT_EQ(spans[1], 3);
  EXPECT_EQ(spans[63], 2);
}

TEST(TimeHistogram, DoublesItsRangesAndLosesNoTime) {
  TimeHistogram histogram(1);
  for (std::int64_t level = 0; level < 64; ++level) histogram.add(level, level + 1);
  histogram.add(1000, 100);
  EXPECT_EQ(histogram.width(), 16);
  const auto spans = fs_of(histogram);
  ASSERT_EQ(spans.size(), 1000u / 16 + 1);
  EXPECT_EQ(spans[0], 16 * 17 / 2);
  EXPECT_EQ(spans[3], 64 * 65 / 2 - 48 * 49 / 2);
  EXPECT_EQ(spans.back(), 100);
}

TEST(TimeHistogram, OfAProbeHasEveryInstantUpToTheEnd) {
  Time now;
  Recorder recorder([&] { return now; });
  recorder.keep_histograms();
  ProbeInfo info;
  info.path = "b.occupancy";
  info.histogram_width = 4096;
  Probe probe(recorder, info);
  probe.add(Time::fs(100), 4096);
  probe.add(Time::fs(300), 4096);
  probe.add(Time::fs(350), -8192);
  EXPECT_EQ(fs_of(*probe.histogram(Time::fs(1000))), (std::vector<std::int64_t>{750, 200, 50}));
  EXPECT_EQ(fs_of(*probe.histogram(Time::fs(320))), (std::vector<std::int64_t>{100, 200, 20}));
}

TEST(TimeHistogram, IsNotKeptUnlessAskedFor) {
  Time now;
  Recorder recorder([&] { return now; });
  ProbeInfo info;
  info.path = "b.occupancy";
  info.histogram_width = 4096;
  EXPECT_EQ(Probe(recorder, info).histogram(Time::fs(10)), nullptr);
}

}  // namespace
}  // namespace fredsim::hw
