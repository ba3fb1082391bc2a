#pragma once

#include <cstdint>
#include <vector>

namespace fredsim::hw {

/// A recorded signal has `value` from `at_fs` on. `slot` counts the recorded signals.
struct ValueChange {
  std::int64_t at_fs;
  std::int64_t value;
  std::uint32_t slot;
};

/// Sorts changes by time, those of one instant by slot. They come in runs from many signals, spread over the
/// batch's span: dealing them out by time first and sorting the small heaps takes about a third of the time
/// of one large sort.
class ChangeSorter {
 public:
  void sort(std::vector<ValueChange>& changes);

 private:
  std::vector<ValueChange> dealt_;
  std::vector<std::uint32_t> heap_ends_;
};

}  // namespace fredsim::hw
