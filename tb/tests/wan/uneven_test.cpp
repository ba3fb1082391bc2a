// Uneven lines: LON-SIN has 1 Gb/s and NYC-LON 100 Gb/s among lines of 10 Gb/s.
#include <gtest/gtest.h>

#include "tb/tests/system/simulate.h"
#include "tb/tests/wan/wan_replay.h"

namespace fredsim::tb::test {
namespace {

double seconds(const std::string& topology, const std::vector<std::vector<std::string>>& rounds) {
  return std::stod(apart([&] {
    WanReplay replay({"wan.topology=" FREDSIM_SOURCE_DIR + topology, "wan.update=100 MB"}, rounds, false);
    const WanResult& r = replay.run();
    EXPECT_EQ(r.status, Status::ok) << summary(r);
    return fmt::format("{:.9g}", r.simulated.seconds());
  }));
}

/// With 44.7 MB threes are the fastest on even lines. On uneven ones one of two rounds of threes goes over
/// the slow line, and so may all nine at once: they need only as much memory as that line fills.
TEST(Uneven, LinesChangeTheBestSchedule) {
  const std::string even = "/tb/configs/nine_city.yaml";
  const std::string uneven = "/docs/examples-data/nine_city_uneven.yaml";
  EXPECT_LT(seconds(even, threes), seconds(even, all_nine));
  EXPECT_GT(seconds(uneven, threes), seconds(uneven, all_nine));
}

}  // namespace
}  // namespace fredsim::tb::test
