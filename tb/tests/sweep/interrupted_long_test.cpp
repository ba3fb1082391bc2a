// The same with many points.
#include <gtest/gtest.h>

#include "tb/tests/sweep/sweep_folder.h"

namespace fredsim::tb::test {
namespace {

TEST(InterruptedSweep, Of200PointsIsResumedAfterAKill) {
  expect_survives_a_kill(grid(10, 10, 2), 200);
}

}  // namespace
}  // namespace fredsim::tb::test
