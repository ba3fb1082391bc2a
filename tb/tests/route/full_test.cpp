#include <gtest/gtest.h>

#include "tb/tests/route/checks.h"

namespace fredsim::sw {
namespace {

TEST(SearchFull, RandomFlowsToTwentyPorts) {
  test::check_random_sets(2, 30000);
}
TEST(ConflictFull, EveryClaimHolds) {
  test::check_random_conflicts(6, 4000);
}

}  // namespace
}  // namespace fredsim::sw
