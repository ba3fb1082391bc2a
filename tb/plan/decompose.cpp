#include "tb/plan/decompose.h"

#include <fmt/format.h>

#include <algorithm>

#include "hw/core/error.h"
#include "tb/plan/collectives.h"

namespace fredsim::tb {
namespace {

hw::Group sorted(hw::Group group) {
  std::sort(group.begin(), group.end());
  return group;
}

bool can_leave(const hw::Workload& workload, const Plan& plan, hw::OperationId o) {
  const hw::Operation& operation = workload.operations[o.value];
  return has_steps(operation.type) && joins_or_copies(operation, plan.operations[o.value]);
}

[[noreturn]] void refuse(const hw::Workload& workload, const Turns& turns) {
  std::string names;
  for (const hw::OperationId o : turns.operations)
    names += fmt::format("{}\"{}\"", names.empty() ? "" : ", ", workload.operations[o.value].id);
  throw hw::InputError(fmt::format(
      "{}{} cannot be routed together at {}, and members can carry out only collectives in place of the "
      "network (switch.conflict: decompose); switch.conflict: block lets them take turns",
      place_of(workload, turns.operations.back()), names, turns.place));
}

}  // namespace

bool decompose_more(const hw::Workload& workload, const Plan& plan,
                    std::vector<hw::OperationId>& decomposed) {
  std::vector<hw::OperationId> more;
  const auto leaves = [&more](hw::OperationId o) {
    return std::find(more.begin(), more.end(), o) != more.end();
  };
  for (const Turns& turns : plan.turns) {
    if (turns.reason != Turns::Reason::routes) continue;
    if (std::any_of(turns.operations.begin(), turns.operations.end(), leaves)) continue;
    const hw::Operation* smallest = nullptr;
    for (const hw::OperationId o : turns.operations) {
      const hw::Operation& operation = workload.operations[o.value];
      if (can_leave(workload, plan, o) && (!smallest || operation.npus.size() <= smallest->npus.size()))
        smallest = &operation;
    }
    if (!smallest) refuse(workload, turns);
    const hw::Group group = sorted(smallest->npus);
    for (std::uint32_t o = 0; o < workload.operations.size(); ++o) {
      const hw::Operation& other = workload.operations[o];
      if (other.traffic_class == smallest->traffic_class && can_leave(workload, plan, hw::OperationId(o)) &&
          sorted(other.npus) == group)
        more.emplace_back(o);
    }
  }
  decomposed.insert(decomposed.end(), more.begin(), more.end());
  std::sort(decomposed.begin(), decomposed.end());
  return !more.empty();
}

}  // namespace fredsim::tb
