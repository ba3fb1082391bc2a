#include "hw/core/time_sum.h"

#include <gtest/gtest.h>

namespace fredsim::hw {
namespace {

TEST(TimeSum, OutgrowsSimulatedTime) {
  TimeSum sum;
  for (int i = 0; i < 1000; ++i) sum += Time::max();
  EXPECT_EQ(sum.ns(), 1000.0 * Time::max().ns());
}

TEST(TimeSum, IsExact) {
  TimeSum sum = Time::max();
  sum += Time::fs(1);
  EXPECT_FALSE(sum == TimeSum(Time::max()));
  sum += Time::fs(-1);
  EXPECT_TRUE(sum == TimeSum(Time::max()));
}

TEST(TimeSum, EqualsTheTimeWhileItIsOne) {
  TimeSum sum;
  sum += Time::fs(1234567);
  sum += Time::fs(1);
  EXPECT_EQ(sum, Time::fs(1234568));
  EXPECT_EQ(sum.ns(), Time::fs(1234568).ns());
}

}  // namespace
}  // namespace fredsim::hw
