#include "tb/tests/system/wafer_times.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "tb/tests/system/closed_form.h"
#include "tb/tests/system/simulate.h"
#include "tb/tests/system/trees.h"

namespace fredsim::tb::test {

void expect_wafer_time(bool is_fred_d, const std::string& lines, double ideal_ns, double tolerance,
                       double latency_ns) {
  SCOPED_TRACE(is_fred_d ? "Fred-D" : "Fred-B");
  Replay replay;
  replay.configuration = is_fred_d ? fred_d() : fred_b();
  replay.workload = workload_of(lines, 20);
  const nlohmann::json result = simulate(replay);
  EXPECT_TRUE(is_right(result)) << result["waiting"].dump(1);
  EXPECT_GT(result["verified_elements"], 0);
  EXPECT_TRUE(result["turns"].empty()) << result["turns"].dump(1);
  const double ns = result["simulated_ns"];
  EXPECT_GT(ns, ideal_ns);
  EXPECT_LT(ns, (1 + tolerance) * ideal_ns + latency_ns)
      << "ideal " << ideal_ns << ", off by " << 100 * (ns / ideal_ns - 1) << " %";
  expect_traffic(replay.workload, result, wafer(), Links::planes_together);
}

std::string wafer_wide(std::uint64_t bytes, const std::string& type) {
  std::vector<std::uint32_t> all;
  for (std::uint32_t n = 0; n < 20; ++n) all.push_back(n);
  const bool rooted = type == "reduce" || type == "broadcast" || type == "scatter" || type == "gather";
  return line("a", type, all, fmt::format(R"(,"bytes":{}{})", bytes, rooted ? R"(,"root":6)" : ""));
}

std::string dp_groups(std::uint64_t bytes) {
  std::string lines;
  for (std::uint32_t i = 0; i < 4; ++i) {
    lines += line(fmt::format("dp{}", i), "all_reduce", {i, i + 4, i + 8, i + 12, i + 16},
                  fmt::format(R"(,"bytes":{})", bytes));
  }
  return lines;
}

std::string mp_pairs(std::uint64_t bytes) {
  std::string lines;
  for (std::uint32_t i = 0; i < 20; i += 2) {
    lines += line(fmt::format("mp{}", i), "all_reduce", {i, i + 1},
                  fmt::format(R"(,"bytes":{},"class":"mp")", bytes));
  }
  return lines;
}

}  // namespace fredsim::tb::test
