#include "tb/verify/reduction_order.h"

#include <limits>

#include "hw/core/error.h"

namespace fredsim::tb {

std::vector<ReductionOrder::Step> RankOrder::steps(const hw::Group& members) const {
  std::vector<Step> steps;
  for (std::uint32_t rank = 1; rank < members.size(); ++rank) steps.push_back({0, rank});
  return steps;
}

namespace {

constexpr std::uint32_t absent = std::numeric_limits<std::uint32_t>::max();

/// Adds up the operands on the wires of one switch; the result's operand, or absent.
std::uint32_t add_up(std::vector<std::uint32_t> wires, std::vector<ReductionOrder::Step>& steps) {
  while (wires.size() > 1) {
    std::vector<std::uint32_t> results;
    for (std::size_t p = 0; p < wires.size(); p += 2) {
      const std::uint32_t left = wires[p];
      const std::uint32_t right = p + 1 < wires.size() ? wires[p + 1] : absent;
      if (left != absent && right != absent) steps.push_back({left, right});
      results.push_back(left != absent ? left : right);
    }
    wires = std::move(results);
  }
  return wires.front();
}

}  // namespace

std::vector<ReductionOrder::Step> TreeOrder::steps(const hw::Group& members) const {
  std::vector<std::uint32_t> operands(shape_.npus(), absent);  // of each child of the level at hand
  for (std::uint32_t i = 0; i < members.size(); ++i) {
    if (members[i].value >= operands.size()) {
      throw hw::InternalError("a member of a reduction is at no port of the tree");
    }
    operands[members[i].value] = i;
  }
  std::vector<Step> steps;
  for (std::uint32_t level = 1; level <= shape_.levels(); ++level) {
    const std::uint32_t ports = level == 1 ? shape_.leaf_npus : shape_.upper[level - 2].children;
    std::vector<std::uint32_t> sums;
    for (std::size_t first = 0; first < operands.size(); first += ports) {
      const auto begin = operands.begin() + static_cast<std::ptrdiff_t>(first);
      sums.push_back(add_up({begin, begin + ports}, steps));
    }
    operands = std::move(sums);
  }
  return steps;
}

}  // namespace fredsim::tb
