#include "switch/fabric/arbiter.h"

#include <tuple>

namespace fredsim::sw {

std::size_t PriorityArbiter::choose(const std::vector<Candidate>& candidates, std::uint32_t current) {
  const auto rank = [&](const Candidate& candidate) {
    const bool must_wait = !preemption_ && candidate.route_set != current;
    return std::make_tuple(must_wait, hw::index(candidate.vc), candidate.flow.value);
  };
  std::size_t best = 0;
  for (std::size_t i = 1; i < candidates.size(); ++i) {
    if (rank(candidates[i]) < rank(candidates[best])) best = i;
  }
  return best;
}

}  // namespace fredsim::sw
