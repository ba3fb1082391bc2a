// Random pressure on whole systems: links, credits, receivers and starts are shaken; the data stays the same
// and everything ends.
#include <gtest/gtest.h>

#include "tb/tests/system/random_pressure.h"
#include "tb/tests/system/simulate.h"

namespace fredsim::tb::test {
namespace {

TEST(RandomPressure, OfSomeSeedsBreaksNothing) {
  run_under_pressure(test_seed(1), 24);
}

TEST(RandomPressure, IsTheSameInBothAbstractionsAndForTheSameSeed) {
  Replay replay;
  replay.workload = workload_of(R"(
    {"id":"a","type":"all_reduce","npus":[0,1,2,3],"bytes":100000,"class":"mp"}
    {"id":"b","type":"all_to_all","npus":[2,4,6],"bytes":50000})");
  replay.sets = {"pressure.seed=5"};
  const nlohmann::json once = simulate(replay);
  EXPECT_EQ(once, simulate(replay));
  Replay modules = replay;
  modules.sets.emplace_back("switch.abstraction=microswitch");
  EXPECT_EQ(without_abstraction(once), without_abstraction(simulate(modules)));

  Replay calm = replay, other = replay;
  calm.sets = {};
  other.sets = {"pressure.seed=6"};
  const double time = once["simulated_ns"];
  EXPECT_GT(time, simulate(calm)["simulated_ns"]);
  EXPECT_NE(time, simulate(other)["simulated_ns"]);
}

}  // namespace
}  // namespace fredsim::tb::test
