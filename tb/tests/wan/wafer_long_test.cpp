// Nine wafers, 64 MiB per NPU.
#include <gtest/gtest.h>

#include "tb/tests/wan/wafer_runs.h"

namespace fredsim::tb::test {
namespace {

TEST(Wafers, SixtyFourMebibytesPerNpu) {
  expect_global_sum(64 << 20, all_nine, {});
}

}  // namespace
}  // namespace fredsim::tb::test
