// Weights streamed from the I/O controllers to the NPUs.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "tb/tests/system/simulate.h"
#include "tb/tests/system/trees.h"

namespace fredsim::tb::test {
namespace {

std::vector<std::uint32_t> range(std::uint32_t count) {
  std::vector<std::uint32_t> npus;
  for (std::uint32_t i = 0; i < count; ++i) npus.push_back(i);
  return npus;
}

Replay load(std::uint32_t columns, std::uint32_t rows, const std::string& lines) {
  Replay replay;
  replay.configuration = fmt::format("system: mesh\nmesh:\n  columns: {}\n  rows: {}\n", columns, rows);
  replay.workload = workload_of(lines, columns * rows);
  return replay;
}

TEST(MeshLoad, BringsEveryMemberItsData) {
  for (const auto& [columns, rows] : {std::pair{4u, 5u}, {1u, 1u}, {5u, 1u}, {3u, 3u}}) {
    const std::uint32_t n = columns * rows;
    for (const std::uint64_t bytes : {0u, 1u, 17u, 500'003u}) {
      for (const char* mode : {"broadcast", "shard"}) {
        const std::string more = fmt::format(R"(,"bytes":{},"mode":"{}")", bytes, mode);
        std::string lines = line("w", "load", range(n), more + R"(,"class":"mp")") +
                            line("w2", "load", {n - 1, 0 * n}, more + R"(,"after":["w"])");
        if (n == 1) lines = line("w", "load", {0}, more);
        const nlohmann::json result = simulate(load(columns, rows, lines));
        EXPECT_TRUE(is_right(result))
            << columns << "x" << rows << " " << bytes << mode << result["waiting"].dump(1);
        const std::uint64_t each = mode[0] == 'b' ? bytes * (n + (n > 1 ? 2 : 0)) : bytes * (n > 1 ? 2 : 1);
        EXPECT_EQ(result["verified_elements"], each);
      }
    }
  }
}

TEST(MeshLoad, StartsWhenWhatItDependsOnHasEndedAtAll) {
  const nlohmann::json result =
      simulate(load(2, 2,
                    line("c", "compute", {1}, R"(,"ns":500)") +
                        line("w", "load", range(4), R"(,"bytes":100,"after":["c"])")));
  ASSERT_TRUE(is_right(result));
  EXPECT_GT(result["simulated_ns"], 500);
}

// FRED sec. 7.1: nine of 18 streams of 128 GB/s meet on a link of 750, so that all run at 0.651 of that.
TEST(MeshLoad, RunsAtTheRateOfTheHotLink) {
  constexpr double d = 18 << 20;
  Replay replay = load(4, 5, line("w", "load", range(20), fmt::format(R"(,"bytes":{})", 18 << 20)));
  replay.options.data = false;
  const nlohmann::json result = simulate(replay);
  ASSERT_TRUE(is_right(result));
  const double rate = d / 18 / double(result["simulated_ns"]) / 128;
  EXPECT_NEAR(rate, 0.651, 0.02);
}

TEST(TreeLoad, BringsEveryMemberItsData) {
  sw::TreeShape three = three_levels();
  three.io_controllers = 7;
  for (const std::string& configuration : {fred_b(), configuration_text(three)}) {
    const std::uint32_t n = configuration == fred_b() ? 20 : 24;
    for (const std::uint64_t bytes : {0u, 1u, 17u, 500'003u}) {
      for (const char* mode : {"broadcast", "shard"}) {
        const std::string more = fmt::format(R"(,"bytes":{},"mode":"{}")", bytes, mode);
        Replay replay;
        replay.configuration = configuration;
        replay.workload = workload_of(
            line("w", "load", range(n), more) + line("one", "load", {3}, more + R"(,"class":"mp")") +
                line("w2", "load", {n - 1, 0}, more + R"(,"after":["w"])") +
                line("sum", "all_reduce", range(n), R"(,"bytes":100000,"after":["w"])") +
                line("other", "all_reduce", range(n), R"(,"bytes":100000)"),
            n);
        const nlohmann::json result = simulate(replay);
        EXPECT_TRUE(is_right(result)) << n << " " << bytes << mode << result["waiting"].dump(1);
      }
    }
  }
}

// Fred-C and Fred-D run the controllers at full rate. On Fred-A and Fred-B the 15 controllers of the other
// leaves bring 15 x 128 = 1920 GB/s to a leaf over 1500.
TEST(TreeLoad, RunsAtTheRateOfTheControllersOrOfThePlanes) {
  for (const bool fast : {true, false}) {
    constexpr double d = 18 << 20;
    Replay replay;
    replay.configuration = fast ? fred_d() : fred_b();
    replay.options.data = false;
    replay.workload = workload_of(line("w", "load", range(20), fmt::format(R"(,"bytes":{})", 18 << 20)), 20);
    const nlohmann::json result = simulate(replay);
    ASSERT_TRUE(is_right(result));
    const double rate = d / 18 / double(result["simulated_ns"]) / 128;
    if (fast) {
      EXPECT_GT(rate, 0.97);
    } else {
      EXPECT_NEAR(rate, 0.78, 0.03);
    }
  }
}

}  // namespace
}  // namespace fredsim::tb::test
