// How long collectives take on the wafer, against FRED sec. 8.1 and the traffic of the busiest link. What is
// quick to simulate is short, so that the way of one packet shows: four links of 3.3 ns, 19 micro-switches of
// 0.2 ns, a change of route set at three switches, and on Fred-B a packet's 10.9 ns on the links to the
// planes.
#include "tb/tests/system/wafer_times.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "tb/tests/system/closed_form.h"
#include "tb/tests/system/simulate.h"
#include "tb/tests/system/trees.h"

namespace fredsim::tb::test {
namespace {

constexpr double way_d = 4 * 3.3 + 19 * 0.2 + 3 * 0.2;
constexpr double way_b = way_d + 2 * 4096 / 375.0;
constexpr std::uint64_t mib = 1 << 20;
constexpr double d = mib;

// In bytes / (GB/s) = ns.
TEST(WaferTimes, OfOneAllReduceOfAll) {
  expect_wafer_time(true, wafer_wide(mib), d / 3000, 0.01, way_d);
  expect_wafer_time(false, wafer_wide(mib), d / 1500, 0.02, way_b);
}
TEST(WaferTimes, OfFourGroupsOfFive) {
  expect_wafer_time(true, dp_groups(mib), d / 3000, 0.02, way_d);
  expect_wafer_time(false, dp_groups(mib), d / 375, 0.02, way_b);
}
TEST(WaferTimes, OfTenPairs) {
  expect_wafer_time(true, mp_pairs(mib), d / 3000, 0.01, way_d);
  expect_wafer_time(false, mp_pairs(mib), d / 3000, 0.01, way_b);
}

class WaferTimesOf : public testing::TestWithParam<const char*> {};

TEST_P(WaferTimesOf, AllNpusAreThoseOfTheBusiestLink) {
  const std::string type = GetParam();
  // Of whole packets: behind an odd small one there is never credit for six more, and the link idles.
  const bool many = type == "scatter" || type == "gather";
  const std::string lines = wafer_wide((many ? 16 : 256) * 4090, type);
  for (const bool fred_d : {true, false}) {
    const double ideal = busiest_link_ns(workload_of(lines, 20), wafer(), 3000, fred_d ? 3000 : 375);
    // While a scatter's root serves the three others of its own leaf, the planes run dry.
    const double own_leaf = type == "scatter" ? 3 * 16 * 4096 / 3000.0 : 0;
    expect_wafer_time(fred_d, lines, ideal, 0.03, (fred_d ? way_d : way_b) + own_leaf);
  }
}

INSTANTIATE_TEST_SUITE_P(Collectives, WaferTimesOf,
                         testing::Values("reduce", "broadcast", "reduce_scatter", "scatter", "gather"),
                         [](const auto& test) { return std::string(test.param); });

// Its unicasts share the planes packet by packet and wait for each other at the heads of queues: with random
// traffic, queues of one order sustain 0.586 of their links (Karol, Hluchyj, Morgan 1987).
TEST(WaferTimes, OfAnAllToAllAreThoseOfTheBusiestLinkAndOfQueues) {
  const std::string lines = wafer_wide(mib, "all_to_all");
  for (const bool fred_d : {true, false}) {
    const double ideal = busiest_link_ns(workload_of(lines, 20), wafer(), 3000, fred_d ? 3000 : 375);
    expect_wafer_time(fred_d, lines, ideal, 1 / 0.586 - 1, fred_d ? way_d : way_b);
  }
}

// Any two of its multicasts share outputs of every switch, so that they come one after the other: 20 D, each
// at the rate of the planes.
TEST(WaferTimes, OfAnAllGatherAreThoseOfItsMulticasts) {
  constexpr std::uint64_t shard = 64 * 4090;
  expect_wafer_time(true, wafer_wide(shard, "all_gather"), 20.0 * shard / 3000, 0.03, way_d);
  expect_wafer_time(false, wafer_wide(shard, "all_gather"), 20.0 * shard / 1500, 0.05, way_b);
}

}  // namespace
}  // namespace fredsim::tb::test
