// Weights streamed from the I/O controllers to the NPUs.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "tb/tests/system/io_runs.h"
#include "tb/tests/system/trees.h"

namespace fredsim::tb::test {
namespace {

TEST(MeshLoad, BringsEveryMemberItsData) {
  for (const auto& [columns, rows] : {std::pair{4u, 5u}, {1u, 1u}, {5u, 1u}, {3u, 3u}}) {
    const std::uint32_t n = columns * rows;
    for (const std::uint64_t bytes : {0u, 1u, 17u, 500'003u}) {
      for (const char* mode : {"broadcast", "shard"}) {
        const std::string more = fmt::format(R"(,"bytes":{},"mode":"{}")", bytes, mode);
        std::string lines = line("w", "load", range(n), more + R"(,"class":"mp")") +
                            line("w2", "load", {n - 1, 0 * n}, more + R"(,"after":["w"])");
        if (n == 1) lines = line("w", "load", {0}, more);
        const nlohmann::json result = simulate(on_mesh(columns, rows, lines));
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
      simulate(on_mesh(2, 2,
                       line("c", "compute", {1}, R"(,"ns":500)") +
                           line("w", "load", range(4), R"(,"bytes":100,"after":["c"])")));
  ASSERT_TRUE(is_right(result));
  EXPECT_GT(result["simulated_ns"], 500);
}

// FRED sec. 7.1: nine of 18 streams of 128 GB/s meet on a link of 750, so that all run at 0.651 of that.
TEST(MeshLoad, RunsAtTheRateOfTheHotLink) {
  EXPECT_NEAR(io_rate(on_mesh(4, 5, ""), "load"), 0.651, 0.02);
}

TEST(TreeLoad, BringsEveryMemberItsData) {
  sw::TreeShape three = three_levels();
  three.io_controllers = 7;
  for (const std::string& configuration : {fred_b(), configuration_text(three)}) {
    const std::uint32_t n = configuration == fred_b() ? 20 : 24;
    for (const std::uint64_t bytes : {0u, 1u, 17u, 500'003u}) {
      for (const char* mode : {"broadcast", "shard"}) {
        const std::string more = fmt::format(R"(,"bytes":{},"mode":"{}")", bytes, mode);
        const Replay replay =
            on_tree(configuration, n,
                    line("w", "load", range(n), more) + line("one", "load", {3}, more + R"(,"class":"mp")") +
                        line("w2", "load", {n - 1, 0}, more + R"(,"after":["w"])") +
                        line("sum", "all_reduce", range(n), R"(,"bytes":100000,"after":["w"])") +
                        line("other", "all_reduce", range(n), R"(,"bytes":100000)"));
        const nlohmann::json result = simulate(replay);
        EXPECT_TRUE(is_right(result)) << n << " " << bytes << mode << result["waiting"].dump(1);
      }
    }
  }
}

// Fred-C and Fred-D run the controllers at full rate. On Fred-A and Fred-B the 15 controllers of the other
// leaves bring 15 x 128 = 1920 GB/s to a leaf over 1500.
TEST(TreeLoad, RunsAtTheRateOfTheControllersOrOfThePlanes) {
  EXPECT_GE(io_rate(on_tree(fred_d(), 20, ""), "load"), 0.97);
  EXPECT_NEAR(io_rate(on_tree(fred_b(), 20, ""), "load"), 0.78, 0.03);
}

}  // namespace
}  // namespace fredsim::tb::test
