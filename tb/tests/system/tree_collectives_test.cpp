// Every collective on trees, in groups and sizes that divide by nothing: right data, the traffic of the
// closed form on every link, and one result of both abstractions.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "tb/tests/system/closed_form.h"
#include "tb/tests/system/simulate.h"
#include "tb/tests/system/trees.h"

namespace fredsim::tb::test {
namespace {

/// One after the other, ranks in no order: groups of all sizes times sizes in bytes.
hw::Workload odd_ones(const std::string& type, std::uint32_t npus, Random& random) {
  std::string lines;
  int operations = 0;
  for (const std::uint32_t members : {1u, 2u, 3u, 7u, 19u, 20u}) {
    for (const std::uint32_t bytes : {0u, 1u, 7u, 19u, 4090u, 4091u, 100003u}) {
      const std::vector<std::uint32_t> group = random.some(members, npus);
      std::string more = fmt::format(R"(,"class":"{}")", random.of<std::string>({"mp", "pp", "dp"}));
      if (type != "barrier") {
        more += fmt::format(R"(,"bytes":{},"dtype":"{}")", bytes,
                            random.of<std::string>({"fp16", "bf16", "fp32", "int32"}));
      }
      if (type == "reduce" || type == "broadcast" || type == "scatter" || type == "gather")
        more += fmt::format(R"(,"root":{})", random.of(group));
      if (operations > 0) more += fmt::format(R"(,"after_all":["o{}"])", operations - 1);
      lines += line(fmt::format("o{}", operations++), type, group, more);
    }
  }
  return workload_of(lines, npus);
}

void expect_right_in_both_abstractions(Replay replay, const sw::TreeShape& shape) {
  const nlohmann::json whole = simulate(replay);
  EXPECT_TRUE(is_right(whole)) << whole["waiting"].dump(1);
  expect_traffic(replay.workload, whole, shape);
  replay.sets.emplace_back("switch.abstraction=microswitch");
  const nlohmann::json modules = without_abstraction(simulate(replay));
  const nlohmann::json expected = without_abstraction(whole);
  EXPECT_EQ(expected, modules) << nlohmann::json::diff(expected, modules).dump(1).substr(0, 4000);
}

class CollectivesOnTrees : public testing::TestWithParam<const char*> {
 protected:
  void run(const std::string& configuration, const sw::TreeShape& shape, const std::string& pattern) {
    Random random(test_seed(17));
    Replay replay;
    replay.configuration = configuration;
    replay.sets = {"switch.route_memory=1 MiB", "data.pattern=" + pattern};
    replay.workload = odd_ones(GetParam(), static_cast<std::uint32_t>(shape.npus()), random);
    expect_right_in_both_abstractions(replay, shape);
  }
};

TEST_P(CollectivesOnTrees, FredD) {
  run(fred_d(), wafer(), "rounding");
}
TEST_P(CollectivesOnTrees, FredB) {
  run(fred_b(), wafer(), "exact");
}
TEST_P(CollectivesOnTrees, ThreeLevels) {
  run(configuration_text(three_levels()), three_levels(), "rounding");
}

INSTANTIATE_TEST_SUITE_P(All, CollectivesOnTrees,
                         testing::Values("all_reduce", "reduce", "broadcast", "reduce_scatter", "all_gather",
                                         "scatter", "gather", "all_to_all", "barrier"),
                         [](const auto& test) { return std::string(test.param); });

TEST(SendsOnTrees, OfAllSizesBetweenAllPlaces) {
  Random random(test_seed(18));
  for (const sw::TreeShape& shape : {wafer(), three_levels()}) {
    SCOPED_TRACE(shape.levels());
    std::string lines;
    int sends = 0;
    for (const std::uint32_t bytes : {0u, 1u, 4090u, 4091u, 100003u}) {
      for (int i = 0; i < 12; ++i, ++sends) {
        const auto ends = random.some(2, static_cast<std::uint32_t>(shape.npus()));
        const std::string common = fmt::format(R"(,"bytes":{},"tag":{})", bytes, sends);
        const std::string after = sends == 0 ? "" : fmt::format(R"(,"after_all":["r{}"])", sends - 1);
        lines += line(fmt::format("s{}", sends), "send", {ends[0]},
                      fmt::format(R"({},"to":{}{})", common, ends[1], after));
        lines += line(fmt::format("r{}", sends), "recv", {ends[1]},
                      fmt::format(R"({},"from":{})", common, ends[0]));
      }
    }
    Replay replay;
    replay.configuration = configuration_text(shape);
    replay.workload = workload_of(lines, static_cast<std::uint32_t>(shape.npus()));
    expect_right_in_both_abstractions(replay, shape);
  }
}

// A leaf of one NPU joins and copies nothing; it takes the flow to the planes.
TEST(TreesOfSmallLeaves, HoldAllKindsAtOnce) {
  sw::TreeShape shape;
  shape.leaf_npus = 1;
  shape.upper = {{3, 2}, {3, 1}};
  Replay replay;
  replay.configuration = configuration_text(shape);
  replay.workload = workload_of(
      line("a", "all_reduce", {0, 1, 2, 3, 4, 5, 6, 7, 8}, R"(,"bytes":50001)") +
          line("b", "reduce_scatter", {8, 4, 0}, R"(,"bytes":7777,"dtype":"fp32","after_all":["a"])") +
          line("c", "all_gather", {1, 2, 7}, R"(,"bytes":9000,"after_all":["b"])") +
          line("d", "barrier", {0, 5, 6}, R"(,"after_all":["c"])") +
          line("e", "all_to_all", {5, 4, 3, 2}, R"(,"bytes":20000,"after_all":["d"])"),
      9);
  expect_right_in_both_abstractions(replay, shape);
}

// With two middle switches flows conflict that three would route: they take turns.
TEST(TreesOfTwoMiddleSwitches, LetConflictingFlowsTakeTurns) {
  std::string lines;
  for (std::uint32_t i = 0; i < 4; ++i) {
    // At the first leaf four pairs of one NPU and one plane each.
    lines += line(fmt::format("dp{}", i), "all_reduce", {i, 4 + (i + 1) % 4, 8 + (i + 2) % 4},
                  R"(,"bytes":60000)");
  }
  // In the switch of a leaf of six: {0,3} {1,5} {2,4}, a conflict in any FRED_2 of six ports.
  for (const auto& pair : {std::pair{0u, 3u}, {1u, 4u}, {2u, 5u}}) {
    lines += line(fmt::format("mp{}", pair.first), "all_reduce", {pair.first, pair.second},
                  R"(,"bytes":60000,"class":"mp")");
  }
  sw::TreeShape shape;
  shape.leaf_npus = 6;
  shape.upper = {{2, 4}};
  for (const int middle : {2, 3}) {
    SCOPED_TRACE(middle);
    Replay replay;
    replay.configuration = configuration_text(shape);
    replay.sets = {fmt::format("switch.middle={}", middle), "data.pattern=rounding"};
    replay.workload = workload_of(lines, 12);
    const nlohmann::json result = simulate(replay);
    EXPECT_TRUE(is_right(result)) << result["waiting"].dump(1);
    expect_traffic(replay.workload, result, shape, Links::planes_together);
    EXPECT_EQ(result["turns"].empty(), middle == 3) << result["turns"].dump(1);
    replay.sets.emplace_back("switch.abstraction=microswitch");
    EXPECT_EQ(without_abstraction(result), without_abstraction(simulate(replay)));
  }
}

}  // namespace
}  // namespace fredsim::tb::test
