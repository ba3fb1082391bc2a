// Random collectives of all kinds over links that lose packets; the full counts.
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>

#include "tb/tests/system/lossy_runs.h"

namespace fredsim::tb::test {
namespace {

TEST(RandomLoss, OfManySeedsIsMadeGoodByLinks) {
  Coverage coverage = LossyJobs::coverage();
  run_lossy_jobs(test_seed(5000), 500, "link", coverage);
  EXPECT_EQ(fmt::format("{}", fmt::join(coverage.empty_bins(), "\n")), "");
}

}  // namespace
}  // namespace fredsim::tb::test
