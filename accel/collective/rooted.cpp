#include "accel/collective/rooted.h"

#include <algorithm>

#include "accel/collective/hierarchical.h"

namespace fredsim::accel {

Ranks starting_at(Ranks ring, std::uint32_t first) {
  std::rotate(ring.begin(), std::find(ring.begin(), ring.end(), first), ring.end());
  return ring;
}

void chain_broadcast(const Ranks& chain, hw::Range elements, std::uint32_t chunk, Steps& steps) {
  for (std::size_t i = 1; i < chain.size(); ++i) {
    add_steps(steps, chain[i - 1], chain[i], {elements}, false, chunk);
  }
}

void hierarchical_broadcast(const std::vector<Ranks>& groups, std::uint32_t root, hw::Range elements,
                            std::uint32_t chunk, Steps& steps) {
  for (const Ranks& across : transposed(groups)) {
    if (std::find(across.begin(), across.end(), root) == across.end()) continue;
    chain_broadcast(starting_at(across, root), elements, chunk, steps);
    for (std::size_t g = 0; g < groups.size(); ++g) {
      chain_broadcast(starting_at(groups[g], across[g]), elements, chunk, steps);
    }
  }
}

void direct_broadcast(std::uint32_t ranks, std::uint32_t root, hw::Range elements, std::uint32_t chunk,
                      Steps& steps) {
  for (std::uint32_t d = 1; d < ranks; ++d) {
    add_steps(steps, root, (root + d) % ranks, {elements}, false, chunk);
  }
}

void binomial_broadcast(std::uint32_t ranks, std::uint32_t root, hw::Range elements, std::uint32_t chunk,
                        Steps& steps) {
  for (std::uint32_t have = 1; have < ranks; have *= 2) {
    for (std::uint32_t i = 0; i < have && i + have < ranks; ++i) {
      add_steps(steps, (root + i) % ranks, (root + i + have) % ranks, {elements}, false, chunk);
    }
  }
}

}  // namespace fredsim::accel
