// A workload that needs more route sets than the memory holds: refused with the numbers, or sets are loaded.
#include <gtest/gtest.h>

#include "tb/tests/system/simulate.h"

namespace fredsim::tb::test {
namespace {

/// Three groups that share NPU 0, so that no two of their flows fit into one route set, one after the other,
/// each of one packet, `rounds` times.
Replay rounds_of_three(int rounds, const std::vector<std::string>& sets) {
  std::string lines, before;
  for (int round = 0; round < rounds; ++round) {
    for (const std::uint32_t partner : {1u, 2u, 3u}) {
      const std::string id = "a" + std::to_string(round) + "." + std::to_string(partner);
      lines += line(id, "all_reduce", {0, partner},
                    R"(,"bytes":4000)" + (before.empty() ? "" : R"(,"after_all":[")" + before + R"("])"));
      before = id;
    }
  }
  Replay replay;
  replay.workload = workload_of(lines);
  replay.sets = sets;
  return replay;
}

const nlohmann::json& the_switch(const nlohmann::json& result) {
  return result["switches"][0];
}

// FRED_3(8): 116 bits a set, 15 bytes.
const std::vector<std::string> two_fit = {"switch.route_memory=29 B", "switch.route_miss=reload",
                                          "switch.route_load=1 GB/s"};

TEST(RouteMemory, TooSmallIsRefusedWithTheNumbers) {
  try {
    simulate(rounds_of_three(2, {"switch.route_memory=29 B"}));
    ADD_FAILURE() << "was not refused";
  } catch (const std::exception& error) {
    const std::string text = error.what();
    for (const char* part :
         {"3 route sets", "116 bits each", "29 B", "holds 2", "44 B", "switch.route_miss: reload"})
      EXPECT_NE(text.find(part), std::string::npos) << text;
  }
}

TEST(RouteMemory, ReloadPaysForEachSetThatIsNotThere) {
  const int rounds = 4;
  Replay large = rounds_of_three(rounds, {});
  const nlohmann::json enough = simulate(large), reload = simulate(rounds_of_three(rounds, two_fit));
  ASSERT_TRUE(is_right(enough) && is_right(reload));
  EXPECT_EQ(the_switch(enough)["route_loads"], 0);
  // Sets 1, 2 are there at first. 3 takes the place of 1, then 1 that of 2, and so on: all but the first two.
  const int loads = 3 * rounds - 2;
  EXPECT_EQ(the_switch(reload)["route_loads"], loads);
  EXPECT_EQ(the_switch(reload)["loading_ns"], loads * 15.0);
  EXPECT_EQ(the_switch(reload)["route_sets"], 3);
  EXPECT_EQ(the_switch(reload)["route_bits"], 116);
  EXPECT_EQ(the_switch(reload)["route_memory_bits"], 29 * 8);
  EXPECT_NEAR(reload["simulated_ns"].get<double>(), enough["simulated_ns"].get<double>() + loads * 15, 1e-6);
}

TEST(RouteMemory, TheSetServedLongestAgoMakesRoom) {
  // 1 2 1 3 1 2: serving 1 again keeps it; 3 replaces 2, and 2 then replaces 3.
  std::string lines, before;
  int i = 0;
  for (const std::uint32_t partner : {1u, 2u, 1u, 3u, 1u, 2u}) {
    const std::string id = "a" + std::to_string(i++);
    lines += line(id, "all_reduce", {0, partner},
                  R"(,"bytes":4000)" + (before.empty() ? "" : R"(,"after_all":[")" + before + R"("])"));
    before = id;
  }
  Replay replay;
  replay.workload = workload_of(lines);
  replay.sets = two_fit;
  EXPECT_EQ(the_switch(simulate(replay))["route_loads"], 2);
}

TEST(RouteMemory, EnoughForAllLoadsNothing) {
  Replay replay = rounds_of_three(3, {"switch.route_memory=44 B", "switch.route_miss=reload"});
  const nlohmann::json result = simulate(replay);
  EXPECT_EQ(the_switch(result)["route_loads"], 0);
}

TEST(RouteMemory, ThatHoldsNoSetIsRefused) {
  try {
    simulate(rounds_of_three(1, {"switch.route_memory=14 B", "switch.route_miss=reload"}));
    ADD_FAILURE() << "was not refused";
  } catch (const std::exception& error) {
    EXPECT_NE(std::string(error.what()).find("takes 116 bits"), std::string::npos) << error.what();
  }
}

TEST(RouteMemory, ReloadIsTheSameInBothAbstractions) {
  Replay replay = rounds_of_three(3, two_fit);
  const nlohmann::json whole = simulate(replay);
  replay.sets.emplace_back("switch.abstraction=microswitch");
  EXPECT_EQ(without_abstraction(whole), without_abstraction(simulate(replay)));
}

TEST(OwnMicroSwitch, NeedsTheAbstractionThatHasAPlaceForIt) {
  Replay replay = rounds_of_three(1, {});
  replay.factories.switch_parts.micro_switch = sw::make_micro_switch;
  try {
    const std::string text = apart([&] {
      const Simulation simulation(configuration_of(replay), replay.workload, {}, replay.factories);
      return "";
    });
    ADD_FAILURE() << "was not refused";
  } catch (const std::exception& error) {
    EXPECT_NE(std::string(error.what()).find("switch.abstraction"), std::string::npos) << error.what();
  }
  replay.sets = {"switch.abstraction=microswitch"};
  EXPECT_TRUE(is_right(simulate(replay)));
}

}  // namespace
}  // namespace fredsim::tb::test
