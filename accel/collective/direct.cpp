#include "accel/collective/direct.h"

namespace fredsim::accel {

void direct_reduce_scatter(const std::vector<Ranges>& blocks, std::uint32_t chunk, Steps& steps) {
  const auto n = static_cast<std::uint32_t>(blocks.size());
  for (std::uint32_t d = 1; d < n; ++d) {
    for (std::uint32_t r = 0; r < n; ++r) {
      add_steps(steps, r, (r + d) % n, blocks[(r + d) % n], true, chunk);
    }
  }
}

void direct_all_gather(const std::vector<Ranges>& blocks, std::uint32_t chunk, Steps& steps) {
  const auto n = static_cast<std::uint32_t>(blocks.size());
  for (std::uint32_t d = 1; d < n; ++d) {
    for (std::uint32_t r = 0; r < n; ++r) add_steps(steps, r, (r + d) % n, blocks[r], false, chunk);
  }
}

}  // namespace fredsim::accel
