#include "accel/collective/step.h"

#include <algorithm>
#include <utility>

namespace fredsim::accel {

Ranges join(const std::vector<Ranges>& parts) {
  Ranges all;
  for (const Ranges& part : parts) {
    for (const hw::Range& range : part) {
      if (range.size() > 0) all.push_back(range);
    }
  }
  std::sort(all.begin(), all.end(), [](hw::Range a, hw::Range b) { return a.begin < b.begin; });
  Ranges joined;
  for (const hw::Range& range : all) {
    if (!joined.empty() && joined.back().end == range.begin) {
      joined.back().end = range.end;
    } else {
      joined.push_back(range);
    }
  }
  return joined;
}

void mirror(Steps& steps, std::size_t begin, bool reduce) {
  const auto first = steps.begin() + static_cast<std::ptrdiff_t>(begin);
  std::reverse(first, steps.end());
  for (auto step = first; step != steps.end(); ++step) {
    std::swap(step->from, step->to);
    step->reduce = reduce;
  }
}

}  // namespace fredsim::accel
