#include "tb/verify/reduction_order.h"

#include <limits>

#include "hw/core/error.h"

namespace fredsim::tb {

std::vector<ReductionOrder::Step> RankOrder::steps(const hw::Group& members) const {
  std::vector<Step> steps;
  for (std::uint32_t rank = 1; rank < members.size(); ++rank) steps.push_back({0, rank});
  return steps;
}

std::vector<ReductionOrder::Step> SwitchOrder::steps(const hw::Group& members) const {
  constexpr std::uint32_t absent = std::numeric_limits<std::uint32_t>::max();
  std::vector<std::uint32_t> wires(ports_, absent);  // which operand is on each
  for (std::uint32_t i = 0; i < members.size(); ++i) {
    if (members[i].value >= ports_)
      throw hw::InternalError("a member of a reduction is at no port of the switch");
    wires[members[i].value] = i;
  }
  std::vector<Step> steps;
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
  return steps;
}

}  // namespace fredsim::tb
