// Gradients collected from the NPUs by the I/O controllers, summed on the way.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "tb/tests/system/io_runs.h"
#include "tb/tests/system/trees.h"
#include "traces/generate/generate.h"

namespace fredsim::tb::test {
namespace {

constexpr std::uint64_t sizes[] = {0, 1, 17, 500'003};

std::uint64_t elements_of(std::uint64_t bytes, const std::string& mode) {
  return mode == "shard" ? bytes : (bytes + 1) / 2;
}

TEST(MeshStore, BringsTheControllersTheSum) {
  for (const auto& [columns, rows] : {std::pair{4u, 5u}, {1u, 1u}, {5u, 1u}, {3u, 3u}}) {
    const std::uint32_t n = columns * rows;
    for (const std::uint64_t bytes : sizes) {
      for (const std::string mode : {"broadcast", "shard"}) {
        const std::string more = fmt::format(R"(,"bytes":{},"mode":"{}")", bytes, mode);
        std::string lines = line("g", "store", range(n), more + R"(,"class":"mp")");
        std::uint64_t stores = 1;
        if (n > 1) {
          lines += line("g2", "store", {n - 1, 0}, more + R"(,"after":["g"])") +
                   line("w", "load", range(n), R"(,"bytes":1000,"after":["g2"])");
          stores = 2;
        }
        const nlohmann::json result = simulate(on_mesh(columns, rows, lines));
        EXPECT_TRUE(is_right(result))
            << columns << "x" << rows << " " << bytes << mode << result["waiting"].dump(1);
        EXPECT_EQ(result["verified_elements"], stores * elements_of(bytes, mode) + (n > 1 ? 1000 * n : 0));
      }
    }
  }
}

// Rounded sums, in the order of the trees; members that are in no row and column together.
TEST(MeshStore, AddsInTheOrderOfItsTrees) {
  for (const std::vector<std::uint32_t>& members : {range(20), {19, 3, 8}, {6}}) {
    for (const char* dtype : {"fp16", "fp32", "bf16"}) {
      Replay replay =
          on_mesh(4, 5, line("g", "store", members, fmt::format(R"(,"bytes":300000,"dtype":"{}")", dtype)));
      replay.sets = {"data.pattern=rounding"};
      const nlohmann::json result = simulate(replay);
      EXPECT_TRUE(is_right(result)) << dtype << result["waiting"].dump(1);
      EXPECT_EQ(result["verified_elements"], dtype == std::string("fp32") ? 75'000 : 150'000);
    }
  }
}

// The trees of the loads, backwards: nine of 18 streams of 128 GB/s meet on a link of 750.
TEST(MeshStore, RunsAtTheRateOfTheHotLink) {
  EXPECT_NEAR(io_rate(on_mesh(4, 5, ""), "store"), 0.651, 0.02);
}

TEST(TreeStore, BringsTheControllersTheSum) {
  sw::TreeShape three = three_levels();
  three.io_controllers = 7;
  for (const std::string& configuration : {fred_b(), configuration_text(three)}) {
    const std::uint32_t n = configuration == fred_b() ? 20 : 24;
    for (const std::uint64_t bytes : sizes) {
      for (const std::string mode : {"broadcast", "shard"}) {
        const std::string more = fmt::format(R"(,"bytes":{},"mode":"{}")", bytes, mode);
        const std::string sum = R"(,"bytes":100000)";
        const std::string lines = line("g", "store", range(n), more) +
                                  line("one", "store", {3}, more + R"(,"class":"mp")") +
                                  line("g2", "store", {n - 1, 0}, more + R"(,"after":["g"])") +
                                  line("sum", "all_reduce", range(n), sum + R"(,"after":["g"])") +
                                  line("other", "all_reduce", range(n), sum) +
                                  line("w", "load", range(n), R"(,"bytes":1000,"after":["g2"])");
        const nlohmann::json result = simulate(on_tree(configuration, n, lines));
        EXPECT_TRUE(is_right(result)) << n << " " << bytes << mode << result["waiting"].dump(1);
        EXPECT_EQ(result["verified_elements"], 3 * elements_of(bytes, mode) + 2 * 50'000 * n + 1000 * n);
      }
    }
  }
}

TEST(TreeStore, AddsInTheOrderOfTheSwitches) {
  for (const std::vector<std::uint32_t>& members : {range(20), {19, 3, 8}, {6}}) {
    Replay replay = on_tree(fred_d(), 20, line("g", "store", members, R"(,"bytes":300000)"));
    replay.sets = {"data.pattern=rounding"};
    const nlohmann::json result = simulate(replay);
    EXPECT_TRUE(is_right(result)) << result["waiting"].dump(1);
  }
}

// Fred-C and Fred-D run the controllers at full rate. On Fred-A and Fred-B every leaf sends a term of each
// sum to the root: 18 x 128 = 2304 GB/s over 1500.
TEST(TreeStore, RunsAtTheRateOfTheControllersOrOfThePlanes) {
  EXPECT_GE(io_rate(on_tree(fred_d(), 20, ""), "store"), 0.97);
  EXPECT_NEAR(io_rate(on_tree(fred_b(), 20, ""), "store"), 0.65, 0.04);
}

// Loads and stores among everything else, in all classes.
TEST(RandomIo, IsRightOnTreesAndMeshes) {
  const std::uint64_t first = test_seed(1);
  for (std::uint64_t seed = first; seed < first + 4; ++seed) {
    trace::RandomPattern pattern;
    pattern.seed = seed;
    pattern.npus = 20;
    pattern.max_bytes = 30'000;
    pattern.io = true;
    for (Replay replay : {on_mesh(4, 5, ""), on_tree(fred_b(), 20, "")}) {
      replay.workload = trace::generate_random(pattern);
      replay.sets = {"data.pattern=rounding"};
      const nlohmann::json result = simulate(replay);
      EXPECT_TRUE(is_right(result)) << "FREDSIM_TEST_SEED=" << seed << result["waiting"].dump(1);
    }
  }
}

}  // namespace
}  // namespace fredsim::tb::test
