// Random WANs, a few; the full count is in random_long_test.cpp.
#include <gtest/gtest.h>

#include "tb/tests/wan/random_cases.h"

namespace fredsim::tb::test {
namespace {

TEST(RandomWans, GiveRightDataOrAReason) {
  Coverage coverage = RandomWan::coverage();
  run_random_wans(test_seed(1), 60, coverage);
}

}  // namespace
}  // namespace fredsim::tb::test
