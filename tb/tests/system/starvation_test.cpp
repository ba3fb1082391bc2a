// The watchdog tells a system in which nothing can move from an operation that does not while others do.
#include <gtest/gtest.h>

#include "tb/tests/system/faulty_npu.h"
#include "tb/tests/system/simulate.h"

namespace fredsim::tb::test {
namespace {

/// Serves MP as long as there is any, whatever the age of the others.
constexpr const char* long_mp_short_dp = R"(
    {"id":"long","type":"all_reduce","npus":[0,1],"bytes":30000000,"class":"mp"}
    {"id":"short","type":"all_reduce","npus":[2,3],"bytes":50000,"class":"dp"}
    {"id":"after","type":"all_reduce","npus":[2,3],"bytes":50000,"class":"dp","after":["short"]})";

std::string state(const nlohmann::json& result, const std::string& operation) {
  return find(result["waiting"], operation, "operation")["state"];
}

TEST(Watchdog, NamesAnOperationThatStarves) {
  Replay replay;
  replay.workload = workload_of(long_mp_short_dp);
  replay.sets = {"watchdog.starvation=1 us"};
  const nlohmann::json result = simulate(replay);
  EXPECT_EQ(result["status"], "unfinished");
  EXPECT_EQ(result["simulated_ns"], 2000);  // the second look sees that the first second microsecond was lost
  EXPECT_EQ(state(result, "short"), "starvation");
  EXPECT_EQ(state(result, "long"), "unfinished");
  EXPECT_EQ(state(result, "after"), "unfinished");
  expect_reason(result, "short", 2, "another route set");
}

TEST(Watchdog, LeavesAloneWhatMovesInTime) {
  Replay replay;
  replay.workload = workload_of(long_mp_short_dp);
  replay.sets = {"watchdog.starvation=20 us"};
  EXPECT_TRUE(is_right(simulate(replay)));
}

TEST(Watchdog, DoesNotTakeComputingForStarving) {
  Replay replay;
  replay.workload = workload_of(R"(
    {"id":"c","type":"compute","npus":[0],"ns":50000}
    {"id":"a","type":"all_reduce","npus":[0,1],"bytes":50000,"after":["c"]}
    {"id":"other","type":"all_reduce","npus":[2,3],"bytes":30000000})");
  replay.sets = {"watchdog.starvation=1 us"};
  EXPECT_TRUE(is_right(simulate(replay)));
}

TEST(Watchdog, CallsItADeadlockWhenNothingMoves) {
  Replay replay;
  replay.workload = workload_of(R"({"id":"a","type":"all_reduce","npus":[0,1,2,3],"bytes":100000})");
  replay.factories = with_silent(2);
  replay.sets = {"watchdog.starvation=1 us"};
  const nlohmann::json result = simulate(replay);
  EXPECT_EQ(result["status"], "unfinished");
  ASSERT_EQ(result["waiting"].size(), 4u);
  for (const auto& waiting : result["waiting"]) EXPECT_EQ(waiting["state"], "deadlock");
}

TEST(Watchdog, SaysSoInTheSummary) {
  const Configuration configuration =
      configuration_of({{"watchdog.starvation=1 us"}, {}, Replay::checked(), {}, {}});
  const std::string text = apart([&] {
    Simulation simulation(configuration, workload_of(long_mp_short_dp), {});
    return summary(simulation.run());
  });
  EXPECT_NE(text.find("NOT FINISHED: starvation"), std::string::npos) << text;
  EXPECT_NE(text.find("short at NPU 2 is starved"), std::string::npos) << text;
}

}  // namespace
}  // namespace fredsim::tb::test
