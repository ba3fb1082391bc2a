// A sweep that was killed half-way goes on where it was.
#include <gtest/gtest.h>

#include "tb/tests/sweep/sweep_folder.h"

namespace fredsim::tb::test {
namespace {

TEST(InterruptedSweep, IsResumedAfterAKill) {
  expect_survives_a_kill(grid(3, 2, 2), 12);
}

}  // namespace
}  // namespace fredsim::tb::test
