#include <gtest/gtest.h>

#include "tb/report/sweep_picture.h"

namespace fredsim::tb::report {
namespace {

Curve curve(const std::vector<std::pair<double, double>>& points) {
  Curve result;
  for (const auto& [x, y] : points) result.points.push_back({x, y, Json(), false});
  return result;
}

/// The buffer law min(1, n s / (2L + s)) at 3 TB/s and 3.3 ns bends at n = 6 (packet-protocol.md).
TEST(Knee, OfTheBufferLawIsWhereTheLinkIsFull) {
  Curve law;
  for (int n = 1; n <= 12; ++n) law.points.push_back({4.0 * n, std::min(1.0, 0.1714 * n), Json(n), false});
  ASSERT_EQ(knee_of(law, false), 5u);
  for (CurvePoint& p : law.points) p.y = 1 / p.y;  // as a time, which falls
  const auto knee = knee_of(law, false);
  ASSERT_TRUE(knee);
  EXPECT_LE(*knee, 5u);
}

TEST(Knee, IsNotFoundWhereThereIsNone) {
  EXPECT_FALSE(knee_of(curve({{1, 1}, {2, 2}}), false));
  EXPECT_FALSE(knee_of(curve({{1, 1}, {2, 2}, {3, 3}, {4, 4}}), false));
  EXPECT_FALSE(knee_of(curve({{1, 5}, {2, 5}, {3, 5}}), false));
  EXPECT_FALSE(knee_of(curve({{3, 1}, {3, 2}, {3, 3}}), false));
}

TEST(Knee, ByLogarithmsOfAnAxisThatSpansMuch) {
  const Curve steps = curve({{1, 0}, {10, 1}, {100, 1}, {1000, 1}, {10000, 1}});
  EXPECT_EQ(knee_of(steps, true), 1u);
  EXPECT_TRUE(spreads({steps}));
  EXPECT_FALSE(spreads({curve({{0, 1}, {100, 2}})}));
}

}  // namespace
}  // namespace fredsim::tb::report
