// The crossover table with updates of 1 GB.
#include <gtest/gtest.h>

#include "tb/tests/wan/crossover.h"

namespace fredsim::tb::test {
namespace {

class FullCrossover : public testing::TestWithParam<Cell> {};

TEST_P(FullCrossover, CellIsSimulated) {
  const Cell& cell = GetParam();
  EXPECT_NEAR(simulated_seconds(cell, 1), cell.seconds, 0.03 * cell.seconds);
}

INSTANTIATE_TEST_SUITE_P(Table, FullCrossover, testing::ValuesIn(crossover_table()),
                         [](const auto& tested) { return name_of(tested.param); });

}  // namespace
}  // namespace fredsim::tb::test
