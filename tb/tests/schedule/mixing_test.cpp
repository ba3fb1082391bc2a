// Mixing against worked-out values: the affine plane AG(2,3) on sites 0..8.
#include "fpga_agg/schedule/mixing.h"

#include <gtest/gtest.h>

#include <cmath>

#include "fpga_agg/schedule/partitions.h"

namespace fredsim::agg::test {
namespace {

const Round rows = {{0, 1, 2}, {3, 4, 5}, {6, 7, 8}};
const Round columns = {{0, 3, 6}, {1, 4, 7}, {2, 5, 8}};
const Round diagonals = {{0, 4, 8}, {1, 5, 6}, {2, 3, 7}};
const Round other_diagonals = {{0, 5, 7}, {1, 3, 8}, {2, 4, 6}};
const std::vector<Round> plane = {rows, columns, diagonals, other_diagonals};

TEST(Mixing, RowsThenColumnsAverageExactly) {
  std::vector<double> values;
  for (int i = 0; i < 9; ++i) values.push_back(i);
  EXPECT_EQ(average({rows}, values), (std::vector<double>{1, 1, 1, 4, 4, 4, 7, 7, 7}));
  EXPECT_EQ(average({rows, columns}, values), std::vector<double>(9, 4.0));
}

TEST(Mixing, AnyTwoClassesOfThePlaneAreExact) {
  for (std::size_t i = 0; i < 4; ++i) {
    for (std::size_t j = 0; j < 4; ++j) {
      if (i == j) continue;
      EXPECT_TRUE(is_exact({plane[i], plane[j]}, 9)) << i << j;
      EXPECT_EQ(sigma({plane[i], plane[j]}, 9), 0.0);
      EXPECT_EQ(estimated_sigma({plane[i], plane[j]}, 9), 0.0);
    }
  }
}

TEST(Mixing, SecondEigenvalueOfTheMeanOfThePlaneIsAQuarter) {
  EXPECT_NEAR(mean_second_eigenvalue(plane, 9), 0.25, 1e-12);
}

TEST(Mixing, RowsThenShiftedRowsGiveOneOverRootThree) {
  const std::vector<Round> shifted = {rows, normalized({{1, 2, 3}, {4, 5, 6}, {7, 8, 0}}, 9)};
  EXPECT_NEAR(sigma(shifted, 9), 1 / std::sqrt(3.0), 1e-12);
  EXPECT_NEAR(estimated_sigma(shifted, 9), 1 / std::sqrt(3.0), 0.006);
  EXPECT_FALSE(is_exact(shifted, 9));
}

TEST(Mixing, StaticGroupsNeverMix) {
  EXPECT_NEAR(sigma({rows, rows, rows}, 9), 1.0, 1e-12);
  EXPECT_EQ(rounds_to_all_informed({rows}, 9), std::nullopt);
}

TEST(Mixing, RoundsToAllInformed) {
  EXPECT_EQ(rounds_to_all_informed({rows, columns}, 9), 2u);
  EXPECT_EQ(rounds_to_all_informed({rows, rows, columns}, 9), 3u);
  // Four sites in a row, neighbours in turn: the ends hear of each other in the third round.
  const Round inner = normalized({{1, 2}}, 4);
  EXPECT_EQ(rounds_to_all_informed({inner, {{0, 1}, {2, 3}}}, 4), 4u);
  EXPECT_EQ(rounds_to_all_informed({{{0, 1}, {2, 3}}, inner}, 4), 3u);
  EXPECT_EQ(rounds_to_all_informed({normalized({{0, 1}}, 4)}, 4), std::nullopt);
}

TEST(Mixing, UnequalCliquesCanBeExact) {
  // Nine as 3 + 6 twice: every clique meets every other in |S| |B| / 9 sites.
  const Round first = normalized({{0, 1, 2}, {3, 4, 5, 6, 7, 8}}, 9);
  const Round second = normalized({{0, 3, 4}, {1, 2, 5, 6, 7, 8}}, 9);
  EXPECT_TRUE(is_exact({first, second}, 9));
  EXPECT_FALSE(is_exact({first, normalized({{0, 1, 3}, {2, 4, 5, 6, 7, 8}}, 9)}, 9));
}

TEST(Partitions, Counts) {
  EXPECT_EQ(equal_partitions(9, 3).size(), 280u);
  EXPECT_EQ(equal_partitions(9, 9).size(), 1u);
  EXPECT_EQ(equal_partitions(8, 2).size(), 105u);
  EXPECT_EQ(equal_partitions(8, 4).size(), 35u);
  EXPECT_EQ(equal_partitions(9, 2).size(), 0u);
  EXPECT_EQ(composite_partitions(9).size(), 280u + 84u);  // and 9! / (3! 6!) into three and six
  EXPECT_EQ(composite_partitions(7).size(), 0u);
}

TEST(Partitions, JoinedOnlyWhereWeightsBecomeEqual) {
  const std::vector<std::uint64_t> after_rows = {0b000000111, 0b000111000, 0b111000000};
  EXPECT_EQ(joined(after_rows, columns), (std::vector<std::uint64_t>{0b111111111}));
  EXPECT_EQ(joined(after_rows, rows), after_rows);
  EXPECT_TRUE(joined(after_rows, normalized({{1, 2, 3}, {4, 5, 6}, {7, 8, 0}}, 9)).empty());
}

TEST(Partitions, SearchFindsThePlaneFromNothing) {
  const std::vector<Round> pool = equal_partitions(9, 3);
  const std::vector<std::size_t> found = every_pair_once(pool, std::vector<double>(pool.size(), 1.0), 9, 3);
  ASSERT_EQ(found.size(), 4u);
  std::vector<Round> rounds;
  int met[9][9] = {};
  for (const std::size_t i : found) {
    rounds.push_back(pool[i]);
    for (const Clique& clique : pool[i]) {
      for (const std::uint32_t a : clique) {
        for (const std::uint32_t b : clique) ++met[a][b];
      }
    }
  }
  for (int a = 0; a < 9; ++a) {
    for (int b = 0; b < 9; ++b) EXPECT_EQ(met[a][b], a == b ? 4 : 1);
  }
  EXPECT_NEAR(mean_second_eigenvalue(rounds, 9), 0.25, 1e-12);
  // The first found in lexicographic order is the plane as it is usually written.
  EXPECT_EQ(rounds.front(), rows);
}

}  // namespace
}  // namespace fredsim::agg::test
