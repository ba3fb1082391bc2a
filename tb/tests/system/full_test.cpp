// What takes long: many random systems, and the cost of a waveform.
#include <gtest/gtest.h>

#include <algorithm>

#include "tb/tests/cli/program.h"
#include "tb/tests/system/random_systems.h"
#include "tb/tests/system/simulate.h"

namespace fredsim::tb::test {
namespace {

TEST(RandomSystems, Many) {
  run_random_systems(test_seed(7), 300);
}

// In processor time of runs of the same program on the same machine, alternating.
TEST(AWaveformOfAllSignals, CostsUnderThreeTimesTheRunWithout) {
  const Folder folder;
  std::vector<std::string> run = {"run", single_switch(), "--trace", sample("all_reduce_8npus_64MiB")};
  std::vector<std::string> recording = run;
  recording.insert(recording.end(), {"--vcd", folder / "w.vcd"});
  std::vector<double> ratios;
  for (int i = 0; i < 5; ++i) {
    const Outcome without = fredsim(run);
    const Outcome with = fredsim(recording);
    ASSERT_EQ(without.exit_code, 0);
    ASSERT_EQ(with.exit_code, 0);
    ratios.push_back(with.user_seconds / without.user_seconds);
  }
  std::sort(ratios.begin(), ratios.end());
  RecordProperty("ratio", std::to_string(ratios[2]));
  EXPECT_LT(ratios[2], 3) << "from " << ratios.front() << " to " << ratios.back();
}

}  // namespace
}  // namespace fredsim::tb::test
