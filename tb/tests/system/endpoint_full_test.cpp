// Collectives among the NPUs of whole wafers, against the traffic of the busiest link.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "tb/tests/system/simulate.h"
#include "tb/tests/system/trees.h"

namespace fredsim::tb::test {
namespace {

/// FRED table 5 and sec. 8.1, derived from the traffic of the busiest link.
void expect_time(const std::string& configuration, const std::string& lines, double ideal_ns) {
  Replay replay;
  replay.configuration = configuration;
  replay.options.data = false;
  replay.options.monitors = false;
  replay.workload = workload_of(lines, 20);
  const nlohmann::json result = simulate(replay);
  EXPECT_TRUE(is_right(result));
  EXPECT_GT(result["simulated_ns"], ideal_ns);
  EXPECT_LT(result["simulated_ns"], 1.05 * ideal_ns)
      << "ideal " << ideal_ns << ", off by " << 100 * (result["simulated_ns"].get<double>() / ideal_ns - 1)
      << " %";
}

std::string groups(const char* c, std::uint64_t bytes, std::uint32_t count, std::uint32_t size,
                   std::uint32_t stride) {
  std::string lines;
  for (std::uint32_t g = 0; g < count; ++g) {
    std::vector<std::uint32_t> npus;
    for (std::uint32_t i = 0; i < size; ++i) npus.push_back(stride == 1 ? g * size + i : g + i * stride);
    lines += line(fmt::format("{}{}", c, g), "all_reduce", npus,
                  fmt::format(R"(,"bytes":{},"class":"{}")", bytes, c));
  }
  return lines;
}

TEST(EndpointTime, OnTheWafersIsThatOfTheBusiestLink) {
  constexpr std::uint64_t large = 64 << 20;
  constexpr double d = large;
  const std::string a = fred_b() + "collective:\n  algorithm: hierarchical-ring\n";
  const std::string c = fred_d() + "collective:\n  algorithm: hierarchical-ring\n";
  {
    SCOPED_TRACE("Fred-A, all");
    // The first of 16 chunks goes round within before the links across have work, the last one afterwards.
    expect_time(a, groups("dp", 4 * large, 1, 20, 1), 4 * 0.4 * d / 375);
  }
  {
    SCOPED_TRACE("Fred-C, all");
    expect_time(c, groups("dp", large, 1, 20, 1), 1.9 * d / 3000);
  }
  {
    SCOPED_TRACE("Fred-A, pairs");
    expect_time(a, groups("mp", large / 16, 10, 2, 1), d / 16 / 3000);
  }
  {
    SCOPED_TRACE("Fred-A, fives");
    expect_time(a, groups("dp", large / 16, 4, 5, 4), 1.6 * d / 16 / 375);
  }
  {
    SCOPED_TRACE("Fred-C, fives");
    expect_time(c, groups("dp", large / 4, 4, 5, 4), 1.6 * d / 4 / 3000);
  }
}

}  // namespace
}  // namespace fredsim::tb::test
