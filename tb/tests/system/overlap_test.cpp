// Classes that overlap on the wafer of the paper: short MP all-reduces of four NPUs come while DP all-reduces
// of five are under way. What an operation costs the other class is checked against the rules of the switch,
// not against earlier runs.
#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

#include "tb/tests/cli/program.h"
#include "tb/tests/system/simulate.h"
#include "tb/tests/system/trees.h"

namespace fredsim::tb::test {
namespace {

constexpr int bursts = 4;  ///< MP all-reduces of each group
constexpr int groups = 5;

/// Which of the classes of the trace to keep.
enum class Keep { both, mp, dp };

hw::Workload overlap(Keep keep) {
  std::ifstream file(source_path("docs/examples-data/overlap_20npus.jsonl"));
  std::string lines, text;
  std::getline(file, text);  // the header
  while (std::getline(file, text)) {
    const bool dp = text.find(R"("class":"dp")") != std::string::npos;
    if (keep == Keep::both || (keep == Keep::dp) == dp) lines += text + "\n";
  }
  return workload_of(lines, 20);
}

nlohmann::json run(Keep keep, const std::vector<std::string>& sets = {}) {
  Replay replay;
  replay.configuration = fred_d();
  replay.workload = overlap(keep);
  replay.sets = sets;
  replay.options.data = keep == Keep::both;
  nlohmann::json result = simulate(replay);
  EXPECT_TRUE(is_right(result)) << result["waiting"].dump(1);
  return result;
}

double duration(const nlohmann::json& result, const std::string& id) {
  const nlohmann::json& operation = find(result["operations"], id, "id");
  return operation["end_ns"].get<double>() - operation["start_ns"].get<double>();
}

std::string mp(int burst, int group) {
  return "mp" + std::to_string(burst) + "." + std::to_string(group);
}

TEST(Overlap, OfMpIsHardlyNoticedByMpAndCostsDpWhatMpTakes) {
  const nlohmann::json both = run(Keep::both), mp_alone = run(Keep::mp), dp_alone = run(Keep::dp);
  const double reconfiguration = 0.2;
  for (int burst = 0; burst < bursts; ++burst) {
    for (int group = 0; group < groups; ++group) {
      EXPECT_LE(duration(both, mp(burst, group)),
                1.1 * duration(mp_alone, mp(burst, group)) + reconfiguration);
    }
  }
  // How long MP held a switch: it streams, and the switch changes to it and back.
  double held = 0;
  for (const auto& s : both["switches"]) {
    held = std::max(held, s["served_ns"]["mp"].get<double>() + s["reconfiguring_ns"].get<double>());
  }
  EXPECT_NEAR(held, bursts * 1048576 / 3e12 * 1e9, 20);
  for (int k = 0; k < 4; ++k) {
    const std::string id = "dp" + std::to_string(k);
    EXPECT_LE(duration(both, id), 1.05 * (duration(dp_alone, id) + held));
    EXPECT_LE(duration(both, id) - duration(dp_alone, id), 1.05 * held);
  }
  const nlohmann::json& l1 = find(both["switches"], "l1_0");
  EXPECT_GE(l1["preemptions"], bursts);
  EXPECT_NEAR(l1["reconfiguring_ns"].get<double>(), l1["reconfigurations"].get<double>() * reconfiguration,
              1e-6);
  // DP waits while MP is served; MP waits for no more than a packet to drain and the change, each time.
  EXPECT_GT(l1["other_route_set_ns"]["dp"], 1000);
  EXPECT_LT(l1["other_route_set_ns"]["mp"], l1["reconfigurations"].get<double>() * (1.4 + reconfiguration));
  const double sum = l1["other_route_set_ns"]["mp"].get<double>() +
                     l1["other_route_set_ns"]["dp"].get<double>() +
                     l1["other_route_set_ns"]["pp"].get<double>();
  EXPECT_NEAR(sum, l1["stalled_ns"]["other_route_set"].get<double>(), 1e-6);
}

TEST(Overlap, WithoutPreemptionMpWaitsAndTheResultSaysHowLong) {
  const nlohmann::json both = run(Keep::both, {"switch.preemption=false"});
  const nlohmann::json mp_alone = run(Keep::mp), dp_alone = run(Keep::dp);
  // MP gets the switch when DP has no packet ready any more, which is when it has ended.
  const double dp_ends = find(dp_alone["operations"], "dp0", "id")["end_ns"];
  const double started = find(both["operations"], mp(0, 0), "id")["start_ns"];
  EXPECT_GT(duration(both, mp(0, 0)), 0.9 * (dp_ends - started));
  for (const auto& s : both["switches"]) {
    EXPECT_EQ(s["preemptions"], 0);
    if (s["name"].get<std::string>().substr(0, 2) != "l1") continue;
    const double slower = duration(both, mp(0, 0)) - duration(mp_alone, mp(0, 0));
    EXPECT_NEAR(s["other_route_set_ns"]["mp"].get<double>(), slower, 0.05 * slower);
  }
  // Nothing is lost: DP ends as it would alone.
  EXPECT_LE(duration(both, "dp0"), 1.01 * duration(dp_alone, "dp0"));
}

}  // namespace
}  // namespace fredsim::tb::test
