#include <gtest/gtest.h>

#include "tb/tests/system/random_systems.h"
#include "tb/tests/system/simulate.h"

namespace fredsim::tb::test {
namespace {

TEST(RandomSystems, FewCoverAll) {
  run_random_systems(test_seed(2025), 30);
}

}  // namespace
}  // namespace fredsim::tb::test
