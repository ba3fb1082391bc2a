#include "tb/tests/system/random_pressure.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <string>

#include "tb/tests/system/closed_form.h"
#include "tb/tests/system/random_jobs.h"
#include "tb/tests/system/trees.h"

namespace fredsim::tb::test {

void run_under_pressure(std::uint64_t seed, int runs) {
  for (int i = 0; i < runs; ++i) {
    const std::uint64_t own = seed + static_cast<std::uint64_t>(i);
    SCOPED_TRACE(fmt::format("FREDSIM_TEST_SEED={}", own));
    RandomJobs jobs(own);
    Random random(own);
    const std::vector<std::string> buffers = {"4 KiB", "8 KiB", "12 KiB", "24 KiB", "unlimited"};
    for (const char* key : {"buffer.mp", "buffer.pp", "buffer.dp"}) {
      jobs.replay.sets.push_back(fmt::format("{}={}", key, random.of(buffers)));
    }
    jobs.replay.sets.push_back(fmt::format("pressure.seed={}", own + 1));
    jobs.replay.sets.push_back("pressure.delay=" + random.of<std::string>({"1 ns", "20 ns", "300 ns"}));
    jobs.replay.sets.push_back("pressure.start=" + random.of<std::string>({"0 ns", "200 ns", "5 us"}));
    jobs.replay.sets.push_back("switch.preemption=" + random.of<std::string>({"true", "false"}));
    const nlohmann::json result = simulate(jobs.replay);
    ASSERT_TRUE(is_right(result)) << result["status"] << result["waiting"].dump(1);
    expect_traffic(jobs.replay.workload, result, wafer(), Links::planes_together);
    if (testing::Test::HasFailure()) return;
  }
}

}  // namespace fredsim::tb::test
