// Many collectives at once on the wafer, begun at different times at every NPU.
#include "tb/tests/system/random_jobs.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "tb/tests/system/closed_form.h"
#include "tb/tests/system/simulate.h"
#include "tb/tests/system/trees.h"

namespace fredsim::tb::test {
namespace {

TEST(JobsOnTheWafer, End) {
  Coverage coverage = RandomJobs::coverage();
  run_random_jobs(test_seed(1), 20, coverage);
}

TEST(JobsOnTheWafer, DeadlockWithoutTheOrder) {
  std::uint64_t seed = test_seed(1);
  int with = 0, without = 0;
  constexpr int runs = 16;
  for (int run = 0; run < runs; ++seed) {
    const RandomJobs jobs(seed);
    if (!jobs.can_deadlock()) continue;
    ++run;
    Replay replay = jobs.replay;
    replay.options.data = false;
    with += simulate(replay)["status"] != "ok";
    replay.options.keep_order = false;
    const nlohmann::json result = simulate(replay);
    if (result["status"] == "ok") continue;
    ++without;
    EXPECT_EQ(result["status"], "unfinished");
    EXPECT_FALSE(result["waiting"].empty());
  }
  std::printf("%d of %d deadlock\n", without, runs);
  EXPECT_EQ(with, 0);
  EXPECT_GE(without, runs / 5);
}

// In the buffer of a plane NPU 13's part of `b` waits for that of NPU 4, which stands behind NPU 4's part of
// `a`, and this waits for NPU 15's, which comes after what NPU 15 sends first. So `b` must not get ahead of
// that.
TEST(Order, OfASendIsBeforeAReductionOfOthersAtItsLeaf) {
  for (const char* first :
       {R"({"id":"s","type":"send","npus":[15],"to":8,"bytes":400000,"after":["c"]}
           {"id":"r","type":"recv","npus":[8],"from":15,"bytes":400000})",
        R"({"id":"s","type":"scatter","npus":[15,8,2],"root":15,"bytes":200000,"after":["c"]})",
        R"({"id":"s","type":"broadcast","npus":[15,8,2],"root":15,"bytes":400000,"after":["c"]})"}) {
    Replay replay;
    replay.configuration = fred_d();
    replay.workload =
        workload_of(std::string(R"({"id":"c","type":"compute","npus":[15],"ns":2000})") + "\n" + first +
                        "\n" + R"({"id":"a","type":"all_reduce","npus":[4,15],"bytes":400000}
                                      {"id":"b","type":"all_reduce","npus":[4,13],"bytes":400000})",
                    20);
    const nlohmann::json result = simulate(replay);
    EXPECT_TRUE(is_right(result)) << first << result["waiting"].dump(1);
  }
}

struct Strategy {
  std::uint32_t mp, pp, dp;
};
class StrategiesOnTheWafer : public testing::TestWithParam<Strategy> {};

TEST_P(StrategiesOnTheWafer, KeepEveryClassBusyAndEnd) {
  const auto [mp, pp, dp] = GetParam();
  for (const std::uint32_t skew_ps : {5000u, 10000000u}) {
    const Replay replay = strategy(mp, pp, dp, skew_ps, test_seed(mp * 400 + pp * 20 + dp));
    const nlohmann::json result = simulate(replay);
    EXPECT_TRUE(is_right(result)) << result["waiting"].dump(1);
    expect_traffic(replay.workload, result, wafer(), Links::planes_together);
  }
}

// Those of FRED sec. 8 first; then ones whose groups cross leaves in every way, five or six planes' worth of
// them among these.
INSTANTIATE_TEST_SUITE_P(Some, StrategiesOnTheWafer,
                         testing::Values(Strategy{2, 2, 5}, Strategy{3, 2, 3}, Strategy{1, 1, 20},
                                         Strategy{20, 1, 1}, Strategy{5, 2, 2}, Strategy{3, 3, 2},
                                         Strategy{2, 3, 3}, Strategy{1, 4, 5}, Strategy{1, 6, 3},
                                         Strategy{3, 5, 1}, Strategy{2, 5, 2}, Strategy{7, 1, 2}),
                         [](const auto& test) {
                           return fmt::format("MP{}PP{}DP{}", test.param.mp, test.param.pp, test.param.dp);
                         });

}  // namespace
}  // namespace fredsim::tb::test
