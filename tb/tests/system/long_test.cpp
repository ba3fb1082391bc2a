// The full counts of the random tests of the wafer.
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>

#include "tb/tests/system/closed_form.h"
#include "tb/tests/system/random_jobs.h"
#include "tb/tests/system/random_pressure.h"
#include "tb/tests/system/simulate.h"
#include "tb/tests/system/trees.h"

namespace fredsim::tb::test {
namespace {

TEST(JobsOnTheWafer, OfManySeedsEnd) {
  Coverage coverage = RandomJobs::coverage();
  run_random_jobs(test_seed(1000), 300, coverage);
  EXPECT_EQ(fmt::format("{}", fmt::join(coverage.empty_bins(), "\n")), "");
}

TEST(RandomPressure, OfManySeedsBreaksNothing) {
  run_under_pressure(test_seed(100), 2000);
}

TEST(StrategiesOnTheWafer, AllEnd) {
  int strategies = 1;  // that of one worker has nothing to do
  for_each_strategy([&](std::uint32_t mp, std::uint32_t pp, std::uint32_t dp) {
    SCOPED_TRACE(fmt::format("MP({})-PP({})-DP({})", mp, pp, dp));
    ++strategies;
    const Replay replay = strategy(mp, pp, dp, strategies % 2 == 0 ? 5000 : 10000000,
                                   test_seed(static_cast<std::uint64_t>(strategies)));
    const nlohmann::json result = simulate(replay);
    EXPECT_TRUE(is_right(result)) << result["waiting"].dump(1);
    expect_traffic(replay.workload, result, wafer(), Links::planes_together);
  });
  EXPECT_EQ(strategies, 152);
}

}  // namespace
}  // namespace fredsim::tb::test
