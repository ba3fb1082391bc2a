// The mesh: zero-load latency, right data of all collectives, and times against closed forms.
#include "switch/mesh/mesh.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>

#include <cmath>

#include "tb/tests/system/simulate.h"

namespace fredsim::tb::test {
namespace {

constexpr double latency = 3.3, hop = 0.2;  // ns, of a link and of a router
constexpr double packet = 4096;

std::string mesh(std::uint32_t columns, std::uint32_t rows) {
  return fmt::format("system: mesh\nmesh:\n  columns: {}\n  rows: {}\n", columns, rows);
}

std::vector<std::uint32_t> range(std::uint32_t count, std::uint32_t first = 0, std::uint32_t stride = 1) {
  std::vector<std::uint32_t> npus;
  for (std::uint32_t i = 0; i < count; ++i) npus.push_back(first + i * stride);
  return npus;
}

// The head crosses the NPUs' links and `distance` between routers, each behind a router; the tail follows at
// the rate of the slowest link.
double zero_load_ns(std::uint32_t distance, double bytes) {
  return (2 + distance) * latency + (1 + distance) * hop + bytes / (distance == 0 ? 3000 : 750);
}

TEST(Mesh, ZeroLoadLatencyIsTheClosedFormForEveryPair) {
  const sw::Mesh shape(4, 5);
  std::string lines, before;
  for (std::uint32_t a = 0; a < 20; ++a) {
    for (std::uint32_t b = 0; b < 20; ++b) {
      if (a == b) continue;
      const std::string id = fmt::format("{}_{}", a, b);
      lines += line("s" + id, "send", {a}, fmt::format(R"(,"to":{},"bytes":4090{})", b, before));
      lines += line("r" + id, "recv", {b}, fmt::format(R"(,"from":{},"bytes":4090)", a));
      before = fmt::format(R"(,"after_all":["r{}"])", id);
    }
  }
  Replay replay;
  replay.configuration = mesh(4, 5);
  replay.workload = workload_of(lines, 20);
  const nlohmann::json result = simulate(replay);
  ASSERT_TRUE(is_right(result));
  for (std::uint32_t a = 0; a < 20; ++a) {
    for (std::uint32_t b = 0; b < 20; ++b) {
      if (a == b) continue;
      const nlohmann::json& flow = find(result["flows"], fmt::format("s{}_{}/0", a, b), "id");
      EXPECT_NEAR(flow["latency_ns"]["max"], zero_load_ns(shape.distance(a, b), packet), 1e-4)
          << a << " " << b;
      EXPECT_EQ(flow["queued_ns"], 0);
    }
  }
}

struct Shape {
  std::uint32_t columns, rows;
};

class MeshCollectives : public testing::TestWithParam<Shape> {};

TEST_P(MeshCollectives, AreRight) {
  const auto [columns, rows] = GetParam();
  const std::uint32_t n = columns * rows;
  std::vector<std::vector<std::uint32_t>> groups = {range(n)};
  if (n >= 5) groups.push_back({4, 0, 2, 3, 1});
  if (n >= 14) groups.push_back({13, 1, 6, 11, 5, 2, 9});
  for (const std::vector<std::uint32_t>& group : groups) {
    for (const std::uint64_t bytes : {2u, 40'000u, 200'002u}) {
      std::string lines;
      const std::vector<std::string> classes = {"mp", "pp", "dp"};
      std::uint32_t i = 0;
      for (const char* type : {"all_reduce", "reduce_scatter", "all_gather", "broadcast", "reduce",
                               "all_to_all", "scatter", "gather"}) {
        const std::string t = type;
        const bool rooted = t == "broadcast" || t == "reduce" || t == "scatter" || t == "gather";
        lines += line(
            type, type, group,
            fmt::format(R"(,"bytes":{},"class":"{}"{})", t == "scatter" || t == "gather" ? bytes / 8 : bytes,
                        classes[i++ % 3], rooted ? fmt::format(R"(,"root":{})", group.back()) : ""));
      }
      lines += line("b1", "barrier", group, R"(,"after":["all_reduce"])") +
               line("after", "all_reduce", group, R"(,"bytes":600,"after":["b1"])");
      Replay replay;
      replay.configuration = mesh(columns, rows);
      replay.sets = {"data.pattern=rounding"};
      replay.workload = workload_of(lines, n);
      const nlohmann::json result = simulate(replay);
      EXPECT_TRUE(is_right(result)) << group.size() << " " << bytes << result["waiting"].dump(1);
      if (n > 1) {
        EXPECT_GT(result["verified_elements"], 0);
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Shapes, MeshCollectives,
                         testing::Values(Shape{4, 5}, Shape{1, 1}, Shape{1, 7}, Shape{7, 1}, Shape{3, 5},
                                         Shape{2, 2}, Shape{8, 4}),
                         [](const auto& test) {
                           return fmt::format("{}x{}", test.param.columns, test.param.rows);
                         });

// A barrier ends ceil(log2 N) rounds after the last member has come, and not before.
TEST(MeshBarrier, WaitsForAll) {
  Replay replay;
  replay.configuration = mesh(3, 3);
  replay.workload = workload_of(
      line("c", "compute", {5}, R"(,"ns":1000)") + line("b", "barrier", range(9), R"(,"after":["c"])"), 9);
  const nlohmann::json result = simulate(replay);
  ASSERT_TRUE(is_right(result));
  EXPECT_EQ(result["operations"][1]["algorithm"], "dissemination");
  EXPECT_GT(result["simulated_ns"], 1000 + 4 * zero_load_ns(1, 0));
  EXPECT_LT(result["simulated_ns"], 1000 + 4 * zero_load_ns(4, 512));
}

// The hop from the last to the first crosses the row: of 2 (N - 1) steps two are such, so that links between
// routers are crossed 4 N - 6 times on the longest way.
TEST(MeshTime, OfARingInARowCountsTheWayBack) {
  for (const std::uint32_t n : {2u, 3u, 5u, 8u, 19u, 20u}) {
    for (const std::uint64_t packets : {1u, 60u}) {
      Replay replay;
      replay.configuration = mesh(n, 1);
      replay.sets = {"collective.chunks=1", "collective.algorithm=ring"};
      replay.options.data = false;
      replay.workload = workload_of(
          line("a", "all_reduce", range(n), fmt::format(R"(,"bytes":{})", 4090 * packets * n)), n);
      const nlohmann::json result = simulate(replay);
      ASSERT_TRUE(is_right(result));
      const double steps = 2 * (n - 1);
      const double ideal = steps * (2 * latency + hop + static_cast<double>(packets) * packet / 750) +
                           (n == 2 ? steps : 4 * n - 6) * (latency + hop);
      EXPECT_NEAR(result["simulated_ns"], ideal, 0.02 * ideal) << n << " " << packets;
    }
  }
}

}  // namespace
}  // namespace fredsim::tb::test
