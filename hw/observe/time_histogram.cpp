#include "hw/observe/time_histogram.h"

#include "hw/core/error.h"

namespace fredsim::hw {

TimeHistogram::TimeHistogram(std::int64_t width) : width_(width) {
  if (width < 1) throw InternalError("the ranges of a histogram have no width");
}

void TimeHistogram::fold() {
  for (std::size_t i = 0; i < ranges / 2; ++i) spans_[i] = spans_[2 * i] + spans_[2 * i + 1];
  for (std::size_t i = ranges / 2; i < ranges; ++i) spans_[i] = 0;
  width_ *= 2;
}

std::vector<Time> TimeHistogram::spans() const {
  std::size_t used = ranges;
  while (used > 0 && spans_[used - 1] == 0) --used;
  std::vector<Time> result;
  for (std::size_t i = 0; i < used; ++i) result.push_back(Time::fs(spans_[i]));
  return result;
}

}  // namespace fredsim::hw
