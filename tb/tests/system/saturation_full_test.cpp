#include <gtest/gtest.h>

#include "tb/configuration/configuration.h"
#include "tb/tests/system/simulate.h"
#include "tb/traffic/measure.h"

namespace fredsim::tb::test {
namespace {

Configuration eight_by_eight() {
  return parse_configuration("system: mesh\nmesh:\n  columns: 8\n  rows: 8\n", "test.yaml");
}

double saturation(TrafficPattern pattern) {
  TrafficOptions options;
  options.pattern = pattern;
  options.warm_up = hw::parse_time("1 us");
  options.window = hw::parse_time("3 us");
  options.monitors = true;
  return find_saturation(eight_by_eight(), options).rate;
}

// 0.5 is the bound of the bisection; BookSim2 with four channels of eight flits reaches about 0.39.
TEST(Traffic, SaturatesAMeshBelowItsBisection) {
  const double uniform = saturation(TrafficPattern::uniform);
  EXPECT_GT(uniform, 0.33);
  EXPECT_LT(uniform, 0.50);
  EXPECT_LT(saturation(TrafficPattern::hotspot), 0.8 * uniform);
}

}  // namespace
}  // namespace fredsim::tb::test
