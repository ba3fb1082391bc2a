#include "hw/observe/value_change.h"

#include <algorithm>
#include <cstddef>
#include <tuple>

namespace fredsim::hw {
namespace {

// Heaps of a few changes each, where insertion sort is at its best.
constexpr std::size_t changes_per_heap = 4;

bool earlier(const ValueChange& a, const ValueChange& b) {
  return std::tie(a.at_fs, a.slot) < std::tie(b.at_fs, b.slot);
}

int width(std::uint64_t value) {
  return value == 0 ? 0 : 64 - __builtin_clzll(value);
}

}  // namespace

void ChangeSorter::sort(std::vector<ValueChange>& changes) {
  if (changes.empty()) return;
  std::int64_t first = changes.front().at_fs;
  std::int64_t last = first;
  for (const ValueChange& change : changes) {
    first = std::min(first, change.at_fs);
    last = std::max(last, change.at_fs);
  }
  const int time_width = width(static_cast<std::uint64_t>(last - first));
  const int shift = std::max(0, time_width - width(changes.size() / changes_per_heap));
  const auto heap_of = [&](const ValueChange& change) {
    return static_cast<std::size_t>((change.at_fs - first) >> shift);
  };

  const std::size_t heaps = static_cast<std::size_t>((last - first) >> shift) + 1;
  heap_ends_.assign(heaps, 0);
  for (const ValueChange& change : changes) ++heap_ends_[heap_of(change)];
  std::uint32_t end = 0;
  for (std::uint32_t& heap : heap_ends_) {
    const std::uint32_t size = heap;
    heap = end;
    end += size;
  }
  // Each heap's entry is where its next change goes, and so its end when all are dealt out.
  dealt_.resize(changes.size());
  for (const ValueChange& change : changes) dealt_[heap_ends_[heap_of(change)]++] = change;
  auto begin = dealt_.begin();
  for (const std::uint32_t heap_end : heap_ends_) {
    std::sort(begin, dealt_.begin() + heap_end, earlier);
    begin = dealt_.begin() + heap_end;
  }
  changes.swap(dealt_);
}

}  // namespace fredsim::hw
