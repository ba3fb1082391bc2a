#include "tb/verify/step_order.h"

#include <algorithm>
#include <map>
#include <utility>

#include "hw/core/error.h"

namespace fredsim::tb {
namespace {

using Step = ReductionOrder::Step;

/// What a rank holds of some elements: the additions so far, and the operand they ended up in.
struct Sum {
  std::vector<Step> steps;
  std::uint32_t operand = 0;
};

/// The additions to the elements of one stretch, which are in the same steps.
std::vector<Step> add_up(const accel::CollectiveRequest& request,
                         const std::vector<const accel::Step*>& steps, std::uint32_t owner) {
  std::vector<Sum> held(request.ranks);
  for (std::uint32_t r = 0; r < request.ranks; ++r) held[r].operand = r;
  for (const accel::Step* step : steps) {
    const Sum& came = held[step->from];
    Sum& here = held[step->to];
    if (!step->reduce) {
      here = came;
      continue;
    }
    here.steps.insert(here.steps.end(), came.steps.begin(), came.steps.end());
    here.steps.push_back({here.operand, came.operand});
  }
  return std::move(held[owner].steps);
}

std::uint32_t owner_of(const accel::CollectiveRequest& request, std::uint64_t element) {
  if (request.type == hw::OperationType::reduce) return request.root;
  if (request.type != hw::OperationType::reduce_scatter) return 0;
  for (std::uint32_t r = 0; r < request.ranks; ++r) {
    if (element < hw::shard(request.elements, request.ranks, r).end) return r;
  }
  throw hw::InternalError("an element that is no rank's");
}

}  // namespace

ReductionOrder::Orders orders_of_steps(const accel::CollectiveRequest& request, const accel::Steps& steps) {
  std::vector<std::uint64_t> cuts{0, request.elements};
  for (const accel::Step& step : steps) cuts.insert(cuts.end(), {step.elements.begin, step.elements.end});
  std::sort(cuts.begin(), cuts.end());
  cuts.erase(std::unique(cuts.begin(), cuts.end()), cuts.end());
  std::vector<std::vector<const accel::Step*>> of_stretch(cuts.size() - 1);
  for (const accel::Step& step : steps) {
    for (auto s = std::lower_bound(cuts.begin(), cuts.end(), step.elements.begin); *s < step.elements.end;
         ++s)
      of_stretch[static_cast<std::size_t>(s - cuts.begin())].push_back(&step);
  }
  ReductionOrder::Orders orders;
  const auto less = [](const std::vector<Step>& a, const std::vector<Step>& b) {
    return std::lexicographical_compare(a.begin(), a.end(), b.begin(), b.end(), [](Step x, Step y) {
      return std::pair(x.left, x.right) < std::pair(y.left, y.right);
    });
  };
  std::map<std::vector<Step>, std::uint32_t, decltype(less)> known(less);
  for (std::size_t s = 0; s < of_stretch.size(); ++s) {
    std::vector<Step> added = add_up(request, of_stretch[s], owner_of(request, cuts[s]));
    const auto [found, fresh] = known.try_emplace(added, static_cast<std::uint32_t>(orders.orders.size()));
    if (fresh) orders.orders.push_back(std::move(added));
    orders.stretches.push_back({cuts[s + 1], found->second});
  }
  return orders;
}

}  // namespace fredsim::tb
