#include "switch/fabric/route_memory.h"

#include <algorithm>

namespace fredsim::sw {

RouteMemory::RouteMemory(std::size_t sets, std::size_t capacity) : used_(sets, absent) {
  // Of those there at the beginning, the last makes room first: the sets are numbered in the order of use.
  const std::size_t there = std::min(capacity, std::max<std::size_t>(sets, 1) - 1);
  for (std::size_t set = there; set > 0; --set) used_[set] = ++time_;
}

bool RouteMemory::use(std::uint32_t route_set) {
  if (route_set == 0) return false;
  const bool there = used_[route_set] != absent;
  if (!there) {
    auto oldest = used_.end();
    for (auto set = used_.begin() + 1; set != used_.end(); ++set) {
      if (*set != absent && (oldest == used_.end() || *set < *oldest)) oldest = set;
    }
    if (oldest != used_.end()) *oldest = absent;
  }
  used_[route_set] = ++time_;
  return !there;
}

}  // namespace fredsim::sw
