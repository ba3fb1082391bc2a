// Random WANs, the full count.
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>

#include "tb/tests/wan/random_cases.h"

namespace fredsim::tb::test {
namespace {

TEST(RandomWans, AThousandGiveRightDataOrAReason) {
  Coverage coverage = RandomWan::coverage();
  run_random_wans(test_seed(1000), 1000, coverage);
  EXPECT_EQ(fmt::format("{}", fmt::join(coverage.empty_bins(), "\n")), "");
}

}  // namespace
}  // namespace fredsim::tb::test
