#include "tb/verify/reduction_order.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <random>
#include <set>
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

/// The sum of what lies at the wires first to first + span - 1, a power of two: its lower half, plus its
/// upper half; "" for none.
std::string halves(const std::vector<std::string>& wires, std::size_t first, std::size_t span) {
  if (first >= wires.size()) return "";
  if (span == 1) return wires[first];
  const std::string low = halves(wires, first, span / 2), high = halves(wires, first + span / 2, span / 2);
  if (low.empty() || high.empty()) return low + high;
  return "(" + low + "+" + high + ")";
}

/// The sum of a subtree: the halves of the sums of its children.
std::string sum_of(const sw::TreeShape& shape, std::uint32_t level, std::uint32_t first_npu,
                   const std::set<std::uint32_t>& members) {
  if (level == 0) return members.count(first_npu) > 0 ? std::to_string(first_npu) : "";
  std::uint32_t step = 1;
  for (std::uint32_t l = 1; l < level; ++l) step *= l == 1 ? shape.leaf_npus : shape.upper[l - 2].children;
  std::vector<std::string> wires;
  const std::uint32_t children = level == 1 ? shape.leaf_npus : shape.upper[level - 2].children;
  for (std::uint32_t c = 0; c < children; ++c)
    wires.push_back(sum_of(shape, level - 1, first_npu + c * step, members));
  return halves(wires, 0, 64);
}

TEST(ReductionOrder, OfATreeIsThatOfItsSwitches) {
  sw::TreeShape wafer;
  wafer.leaf_npus = 4;
  wafer.upper = {{5, 4}};
  EXPECT_EQ(formula(TreeOrder(wafer), npus({17, 0, 2, 3, 5, 12, 13})), "((((0+(2+3))+5)+(12+13))+17)");
  std::mt19937 random(5);
  const auto below = [&](std::uint32_t bound) { return static_cast<std::uint32_t>(random() % bound); };
  for (int i = 0; i < 300; ++i) {
    sw::TreeShape shape;
    shape.leaf_npus = 1 + below(9);
    for (std::uint32_t levels = below(4); levels > 0; --levels)
      shape.upper.push_back({1 + below(6), 1 + below(3)});
    std::vector<std::uint32_t> all(static_cast<std::size_t>(shape.npus()));
    std::iota(all.begin(), all.end(), 0u);
    std::shuffle(all.begin(), all.end(), random);
    all.resize(1 + below(static_cast<std::uint32_t>(all.size())));
    EXPECT_EQ(formula(TreeOrder(shape), npus(all)),
              sum_of(shape, shape.levels(), 0, {all.begin(), all.end()}));
  }
}

TEST(ReductionOrder, RefusesAMemberWithoutAPort) {
  EXPECT_THROW(TreeOrder(sw::single_switch(4)).steps(npus({1, 4})), hw::InternalError);
}

}  // namespace
}  // namespace fredsim::tb
