#include "tb/verify/reduction_order.h"

#include <gtest/gtest.h>

#include <random>
#include <string>

#include "hw/core/error.h"
#include "tb/tests/plan/workloads.h"

namespace fredsim::tb {
namespace {

using testing::npus;

/// The sum in brackets, every operand named by its NPU.
std::string formula(const ReductionOrder& order, const hw::Group& members) {
  std::vector<std::string> operands;
  for (const hw::NpuId npu : members) operands.push_back(std::to_string(npu.value));
  std::uint32_t last = 0;
  for (const auto& [left, right] : order.steps(members)) {
    operands[left] = "(" + operands[left] + "+" + operands[right] + ")";
    last = left;
  }
  return operands[last];
}

TEST(ReductionOrder, OfRanksIsTheirs) {
  EXPECT_EQ(formula(RankOrder(), npus({2, 7, 0, 1})), "(((2+7)+0)+1)");
  EXPECT_EQ(formula(RankOrder(), npus({2})), "2");
}

TEST(ReductionOrder, OfASwitchIsThatOfItsMicroSwitches) {
  EXPECT_EQ(formula(TreeOrder(sw::single_switch(8)), npus({0, 1, 2, 3, 4, 5, 6, 7})),
            "(((0+1)+(2+3))+((4+5)+(6+7)))");
  EXPECT_EQ(formula(TreeOrder(sw::single_switch(5)), npus({0, 1, 2, 3, 4})), "(((0+1)+(2+3))+4)");
  EXPECT_EQ(formula(TreeOrder(sw::single_switch(6)), npus({0, 1, 2, 3, 4, 5})), "(((0+1)+(2+3))+(4+5))");
  EXPECT_EQ(formula(TreeOrder(sw::single_switch(7)), npus({0, 1, 2, 3, 4, 5, 6})),
            "(((0+1)+(2+3))+((4+5)+6))");
}

TEST(ReductionOrder, LeavesOutAbsentPorts) {
  EXPECT_EQ(formula(TreeOrder(sw::single_switch(8)), npus({1, 2, 3, 6})), "((1+(2+3))+6)");
  EXPECT_EQ(formula(TreeOrder(sw::single_switch(8)), npus({0, 7})), "(0+7)");
  EXPECT_EQ(formula(TreeOrder(sw::single_switch(3)), npus({2})), "2");
}

TEST(ReductionOrder, OfASwitchIsThatOfPortsNotRanks) {
  EXPECT_EQ(formula(TreeOrder(sw::single_switch(8)), npus({6, 3, 1, 2})), "((1+(2+3))+6)");
}

TEST(ReductionOrder, RefusesAMemberWithoutAPort) {
  EXPECT_THROW(TreeOrder(sw::single_switch(4)).steps(npus({1, 4})), hw::InternalError);
}

}  // namespace
}  // namespace fredsim::tb
