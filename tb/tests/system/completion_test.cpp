// FRED sec. 8.1: how long large all-reduces take on the baseline and on Fred-A to Fred-D, against the bound
// of the busiest link.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "tb/tests/cli/program.h"
#include "tb/tests/system/io_runs.h"

namespace fredsim::tb::test {
namespace {

constexpr const char* systems[] = {"mesh", "fred_a", "fred_b", "fred_c", "fred_d"};

/// All groups of `size` members `stride` apart at once; `bounds`: D over the rate of the busiest link, in 1 /
/// (TB/s).
void expect_row(const char* traffic_class, std::uint32_t stride, std::uint32_t size, std::uint64_t bytes,
                const double (&bounds)[5]) {
  std::string lines;
  for (std::uint32_t n = 0; n < 20; ++n) {
    if (n / stride % size != 0) continue;
    std::vector<std::uint32_t> npus;
    for (std::uint32_t i = 0; i < size; ++i) npus.push_back(n + i * stride);
    lines += line(fmt::format("g{}", n), "all_reduce", npus,
                  fmt::format(R"(,"bytes":{},"class":"{}")", bytes, traffic_class));
  }
  for (std::size_t s = 0; s < 5; ++s) {
    Replay replay = on_tree(read_file(source_path(fmt::format("tb/configs/{}.yaml", systems[s]))), 20, lines);
    replay.options.data = false;
    replay.options.monitors = false;
    const nlohmann::json result = simulate(replay);
    EXPECT_TRUE(is_right(result));
    const double ideal = bounds[s] * static_cast<double>(bytes) / 1000;
    const double ratio = result["simulated_ns"].get<double>() / ideal;
    const bool in_network = s == 2 || s == 4;
    EXPECT_GT(ratio, 1) << systems[s];
    EXPECT_LT(ratio, in_network ? 1.03 : 1.055) << systems[s];
  }
}

// On the mesh the links between rows carry D. The hierarchical ring of Fred-A is bound by the links to L2,
// and its first and last phase within the leaf hide behind nothing: 5.0 % with 16 chunks.
TEST(Completion, OfOneAllReduceOfAll) {
  expect_row("mp", 1, 20, 64 << 20, {1 / 0.75, 0.4 / 0.375, 1 / 1.5, 1.9 / 3, 1.0 / 3});
}
TEST(Completion, OfTenPairs) {
  expect_row("mp", 1, 2, 4 << 20, {1 / 0.75, 1.0 / 3, 1.0 / 3, 1.0 / 3, 1.0 / 3});
}
TEST(Completion, OfFourGroupsOfFive) {
  expect_row("dp", 4, 5, 32 << 20, {1.6 / 0.75, 1.6 / 0.375, 1 / 0.375, 1.6 / 3, 1.0 / 3});
}
// The paper counts D / 0.75 for the mesh. Two pairs of a row, 0 and 2 beside 1 and 3, share the link between
// 1 and 2 in each direction, so that it takes twice as long, exactly.
TEST(Completion, OfTenPairsTwoApart) {
  expect_row("pp", 2, 2, 4 << 20, {2 / 0.75, 1.0 / 3, 1.0 / 3, 1.0 / 3, 1.0 / 3});
}

}  // namespace
}  // namespace fredsim::tb::test
