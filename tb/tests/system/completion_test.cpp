// FRED sec. 8.1: how long large all-reduces take on the baseline and on Fred-A to Fred-D, against the bound
// of the busiest link.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "tb/tests/cli/program.h"
#include "tb/tests/system/io_runs.h"

namespace fredsim::tb::test {
namespace {

/// All groups of `size` members `stride` apart at once; `bound`: D over the rate of the busiest link, in 1 /
/// (TB/s).
struct Row {
  const char* traffic_class;
  std::uint32_t stride, size;

  void expect(const char* system, std::uint64_t bytes, double bound) const {
    std::string lines;
    for (std::uint32_t n = 0; n < 20; ++n) {
      if (n / stride % size != 0) continue;
      std::vector<std::uint32_t> npus;
      for (std::uint32_t i = 0; i < size; ++i) npus.push_back(n + i * stride);
      lines += line(fmt::format("g{}", n), "all_reduce", npus,
                    fmt::format(R"(,"bytes":{},"class":"{}")", bytes, traffic_class));
    }
    Replay replay = on_tree(read_file(source_path(fmt::format("tb/configs/{}.yaml", system))), 20, lines);
    replay.options.data = false;
    replay.options.monitors = false;
    const nlohmann::json result = simulate(replay);
    EXPECT_TRUE(is_right(result));
    const double ratio = result["simulated_ns"].get<double>() / (bound * static_cast<double>(bytes) / 1000);
    const bool in_network = system == std::string("fred_b") || system == std::string("fred_d");
    EXPECT_GT(ratio, 1) << system;
    EXPECT_LT(ratio, in_network ? 1.03 : 1.05) << system;
  }
};

// On the mesh the links between rows carry D. The hierarchical ring of Fred-A is bound by the links to L2;
// its first chunk within the leaf, and its last, hide behind nothing, which 16 chunks make 5 % of the whole.
TEST(Completion, OfOneAllReduceOfAll) {
  const Row all{"mp", 1, 20};
  all.expect("mesh", 64 << 20, 1 / 0.75);
  all.expect("fred_a", 256 << 20, 0.4 / 0.375);
  all.expect("fred_b", 64 << 20, 1 / 1.5);
  all.expect("fred_c", 64 << 20, 1.9 / 3);
  all.expect("fred_d", 64 << 20, 1.0 / 3);
}
TEST(Completion, OfTenPairs) {
  const Row pairs{"mp", 1, 2};
  pairs.expect("mesh", 4 << 20, 1 / 0.75);
  for (const char* fred : {"fred_a", "fred_b", "fred_c", "fred_d"}) pairs.expect(fred, 4 << 20, 1.0 / 3);
}
TEST(Completion, OfFourGroupsOfFive) {
  const Row fives{"dp", 4, 5};
  fives.expect("mesh", 32 << 20, 1.6 / 0.75);
  fives.expect("fred_a", 32 << 20, 1.6 / 0.375);
  fives.expect("fred_b", 32 << 20, 1 / 0.375);
  fives.expect("fred_c", 32 << 20, 1.6 / 3);
  fives.expect("fred_d", 32 << 20, 1.0 / 3);
}
// The paper counts D / 0.75 for the mesh. Two pairs of a row, 0 and 2 beside 1 and 3, share the link between
// 1 and 2 in each direction, so that it takes twice as long, exactly.
TEST(Completion, OfTenPairsTwoApart) {
  const Row pairs{"pp", 2, 2};
  pairs.expect("mesh", 4 << 20, 2 / 0.75);
  for (const char* fred : {"fred_a", "fred_b", "fred_c", "fred_d"}) pairs.expect(fred, 4 << 20, 1.0 / 3);
}

}  // namespace
}  // namespace fredsim::tb::test
