// The crossover between threes and all nine, packet by packet, at a twentieth of the size.
#include "tb/tests/wan/crossover.h"

#include <gtest/gtest.h>

#include "tb/tests/system/simulate.h"

namespace fredsim::tb::test {
namespace {

constexpr std::uint32_t part = 20;

double apart_seconds(const Cell& cell) {
  return std::stod(apart([&cell] { return fmt::format("{:.9g}", simulated_seconds(cell, part)); }));
}

class Crossover : public testing::TestWithParam<Cell> {};

TEST_P(Crossover, CellIsSimulated) {
  const Cell& cell = GetParam();
  EXPECT_NEAR(simulated_seconds(cell, part), cell.seconds, 0.03 * cell.seconds);
}

/// A twentieth of 1 MB is two packets: that row is for the full size.
std::vector<Cell> cells() {
  std::vector<Cell> result;
  for (const Cell& cell : crossover_table()) {
    if (cell.memory_mb > 1 || !cell.nine) result.push_back(cell);
  }
  return result;
}

INSTANTIATE_TEST_SUITE_P(Table, Crossover, testing::ValuesIn(cells()),
                         [](const auto& tested) { return name_of(tested.param); });

/// Below the crossover threes are faster, above it all nine, within 5 % of where the closed form puts it.
TEST(CrossoverMemory, IsWhereTheClosedFormPutsIt) {
  for (const auto& [gbits, memory] : {std::pair{10.0, 133.9}, std::pair{100.0, 902.0}}) {
    const double threes_take = apart_seconds({memory, false, gbits, 0});
    EXPECT_GT(apart_seconds({0.95 * memory, true, gbits, 0}), threes_take) << gbits;
    EXPECT_LT(apart_seconds({1.05 * memory, true, gbits, 0}), threes_take) << gbits;
  }
}

}  // namespace
}  // namespace fredsim::tb::test
