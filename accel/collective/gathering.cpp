#include "accel/collective/gathering.h"

#include <algorithm>
#include <numeric>

#include "hw/core/error.h"

namespace fredsim::accel {
namespace {

/// The ranks, those that are furthest from the sink first.
Ranks farthest_first(const Ranks& to, std::uint32_t sink) {
  Ranks distance;
  for (std::uint32_t r = 0; r < to.size(); ++r) {
    std::uint32_t hops = 0;
    for (std::uint32_t at = r; at != sink; at = to.at(at)) {
      if (++hops > to.size()) throw hw::InternalError("the ranks of a gathering send in a circle");
    }
    distance.push_back(hops);
  }
  Ranks order(to.size());
  std::iota(order.begin(), order.end(), 0u);
  std::stable_sort(order.begin(), order.end(),
                   [&](std::uint32_t a, std::uint32_t b) { return distance[a] > distance[b]; });
  return order;
}

}  // namespace

Steps gather_steps(const CollectiveRequest& request) {
  const std::uint32_t senders = request.ranks - request.sinks;
  std::vector<Ranks> orders;
  for (std::uint32_t s = 0; s < request.sinks; ++s)
    orders.push_back(farthest_first(request.groups.at(s), senders + s));
  Steps steps;
  for (std::uint32_t chunk = 0; chunk < request.chunks; ++chunk) {
    for (std::uint32_t s = 0; s < request.sinks; ++s) {
      const hw::Range part = hw::shard(request.elements, request.sinks, s);
      const hw::Range piece = hw::shard(part.size(), request.chunks, chunk);
      const hw::Range elements{part.begin + piece.begin, part.begin + piece.end};
      for (const std::uint32_t from : orders[s]) {
        const std::uint32_t to = request.groups[s][from];
        add_steps(steps, from, to, {elements}, to < senders, chunk);
      }
    }
  }
  return steps;
}

}  // namespace fredsim::accel
