// What crosses the links of a mesh, against the closed forms of the algorithms: data and headers of 6 bytes,
// a few more where a message ends with a short packet.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "tb/tests/system/io_runs.h"

namespace fredsim::tb::test {
namespace {

constexpr std::uint64_t d = 8 << 20;

nlohmann::json run(const std::vector<std::uint32_t>& group, const std::string& algorithm) {
  Replay replay = on_mesh(
      4, 5, line("a", "all_reduce", group, fmt::format(R"(,"bytes":{},"algorithm":"{}")", d, algorithm)));
  replay.options.data = false;
  nlohmann::json result = simulate(replay);
  EXPECT_TRUE(is_right(result));
  return result;
}

double share_of(const nlohmann::json& result, const std::string& link) {
  return find(result["links"], link)["bytes"].get<double>() / double(d);
}

// Every member sends 2 (N - 1) / N D to the next; from the last to the first it goes back over the whole row.
TEST(MeshBytes, OfARingInARow) {
  const nlohmann::json result = run({4, 5, 6, 7}, "ring");
  for (const char* link : {"r1_0_to_r1_1", "r1_1_to_r1_2", "r1_2_to_r1_3", "r1_3_to_r1_2", "r1_2_to_r1_1",
                           "r1_1_to_r1_0", "npu4_to_r1_0", "r1_3_to_npu7"})
    EXPECT_NEAR(share_of(result, link), 1.5, 0.01) << link;
  EXPECT_EQ(share_of(result, "r1_0_to_r2_0"), 0);
  EXPECT_EQ(share_of(result, "r0_0_to_r0_1"), 0);
}

// X-Y: down a column, and back up.
TEST(MeshBytes, OfARingInAColumn) {
  const nlohmann::json result = run({2, 6, 10, 14, 18}, "ring");
  for (const char* link : {"r0_2_to_r1_2", "r3_2_to_r4_2", "r4_2_to_r3_2", "r1_2_to_r0_2"})
    EXPECT_NEAR(share_of(result, link), 1.6, 0.01) << link;
  EXPECT_EQ(share_of(result, "r0_2_to_r0_3"), 0);
}

// Half of the data by rows first, 2 (3/4) D/2 there and 2 (4/5) D/8 in the columns; half by columns first, 2
// (4/5) D/2 and 2 (3/4) D/10: links in rows carry 0.9 D, and those in columns D, which is why 20 NPUs take D
// / 0.75.
TEST(MeshBytes, OfTwoConcurrentHierarchies) {
  const nlohmann::json result = run(range(20), "hierarchical-2d");
  for (std::uint32_t row = 0; row < 5; ++row) {
    for (std::uint32_t column = 0; column < 4; ++column) {
      const std::string here = fmt::format("r{}_{}", row, column);
      if (column < 3) {
        EXPECT_NEAR(share_of(result, fmt::format("{}_to_r{}_{}", here, row, column + 1)), 0.9, 0.01) << here;
      }
      if (row < 4) {
        EXPECT_NEAR(share_of(result, fmt::format("{}_to_r{}_{}", here, row + 1, column)), 1.0, 0.01) << here;
      }
    }
  }
}

// Within rows, 2 (3/4) D, and across them a quarter of the data, 2 (4/5) D/4.
TEST(MeshBytes, OfAHierarchicalRing) {
  const nlohmann::json result = run(range(20), "hierarchical-ring");
  EXPECT_NEAR(share_of(result, "r2_1_to_r2_2"), 1.5, 0.01);
  EXPECT_NEAR(share_of(result, "r2_2_to_r2_1"), 1.5, 0.01);
  EXPECT_NEAR(share_of(result, "r2_1_to_r3_1"), 0.4, 0.01);
}

}  // namespace
}  // namespace fredsim::tb::test
