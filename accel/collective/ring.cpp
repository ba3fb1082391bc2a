#include "accel/collective/ring.h"

namespace fredsim::accel {

void ring_reduce_scatter(const Ranks& ring, const std::vector<Ranges>& blocks, std::uint32_t chunk,
                         Steps& steps) {
  const std::size_t n = ring.size();
  for (std::size_t step = 1; step < n; ++step) {
    for (std::size_t i = 0; i < n; ++i) {
      add_steps(steps, ring[i], ring[(i + 1) % n], blocks[(i + n - step) % n], true, chunk);
    }
  }
}

void ring_all_gather(const Ranks& ring, const std::vector<Ranges>& blocks, std::uint32_t chunk,
                     Steps& steps) {
  const std::size_t n = ring.size();
  for (std::size_t step = 1; step < n; ++step) {
    for (std::size_t i = 0; i < n; ++i) {
      add_steps(steps, ring[i], ring[(i + 1) % n], blocks[(i + n + 1 - step) % n], false, chunk);
    }
  }
}

}  // namespace fredsim::accel
