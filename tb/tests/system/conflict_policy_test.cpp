// The four flows that FRED_2(8) cannot route together, {0,2} {1,5} {3,4} {6,7}, under each policy: right
// data, and what it costs against three middle switches, which route them.
#include <gtest/gtest.h>

#include "tb/tests/cli/program.h"
#include "tb/tests/system/simulate.h"
#include "traces/format/read.h"

namespace fredsim::tb::test {
namespace {

nlohmann::json run(const std::vector<std::string>& sets) {
  Replay replay;
  replay.workload = trace::read(sample("four_groups_8npus"), 8).workload;
  replay.sets = sets;
  return simulate(replay);
}

double end_ns(const nlohmann::json& result, int group) {
  return find(result["operations"], "all_reduce0." + std::to_string(group), "id")["end_ns"];
}

TEST(ConflictPolicy, BlockTakesTwoTurnsAndSaysHowLongTheSecondWaits) {
  const nlohmann::json routed = run({"switch.middle=3"}), block = run({"switch.middle=2"});
  ASSERT_TRUE(is_right(routed) && is_right(block));
  EXPECT_TRUE(routed["turns"].empty());
  // Two of the three that conflict and the fourth go together; the third waits for them to end.
  const double alone = end_ns(routed, 2);
  for (const int group : {0, 1, 3}) EXPECT_EQ(end_ns(block, group), alone);
  // A packet of the third is ready as soon as those of the others, so it does not pay the way there again.
  const double stream = 1050118 / 3e12 * 1e9;
  EXPECT_NEAR(end_ns(block, 2), alone + stream, 2);
  ASSERT_EQ(block["turns"].size(), 1u);
  EXPECT_EQ(block["turns"][0]["operations"],
            (nlohmann::json{"all_reduce0.0", "all_reduce0.1", "all_reduce0.2"}));
  EXPECT_NEAR(block["turns"][0]["waited_ns"].get<double>(), end_ns(block, 2) - alone, 2);
}

TEST(ConflictPolicy, FailSaysWhatHelps) {
  try {
    run({"switch.middle=2", "switch.conflict=fail"});
    ADD_FAILURE() << "was not refused";
  } catch (const std::exception& error) {
    const std::string text = error.what();
    for (const char* part :
         {"switch.middle: 3", "the NPUs of ports 1 and 4 exchanged", "switch.conflict: block"})
      EXPECT_NE(text.find(part), std::string::npos) << text;
  }
}

}  // namespace
}  // namespace fredsim::tb::test
