#pragma once

#include <cstdint>
#include <vector>

#include "hw/core/records.h"

namespace fredsim::accel {

/// One message of a collective that its members carry out among themselves: `from` sends what it has of
/// `elements`, and `to` adds it to what it has there, or puts it in its place.
struct Step {
  std::uint32_t from = 0;  ///< ranks
  std::uint32_t to = 0;
  hw::Range elements;
  bool reduce = false;
  std::uint32_t chunk = 0;  ///< which of the pieces that go through the algorithm one behind the other
};

/// A collective as a list of steps. To carry them out one after the other is right; ranks may also run ahead,
/// as long as each sends only what earlier steps have left to it, and adds up in the order of the list.
using Steps = std::vector<Step>;

/// Ranks in an order that matters: round a ring, or from a root on.
using Ranks = std::vector<std::uint32_t>;
/// Elements, not necessarily in one stretch.
using Ranges = std::vector<hw::Range>;

/// Appends a step for every stretch that is not empty.
inline void add_steps(Steps& steps, std::uint32_t from, std::uint32_t to, const Ranges& elements, bool reduce,
                      std::uint32_t chunk) {
  for (const hw::Range& range : elements) {
    if (range.size() > 0) steps.push_back({from, to, range, reduce, chunk});
  }
}

/// All of several ranges, ascending, neighbours joined.
Ranges join(const std::vector<Ranges>& parts);

/// The steps from index `begin` on backwards, receivers sending: what copied from one to all adds up from all
/// to one, and the other way round.
void mirror(Steps& steps, std::size_t begin, bool reduce);

}  // namespace fredsim::accel
