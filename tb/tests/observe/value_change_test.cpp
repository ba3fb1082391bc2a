#include "hw/observe/value_change.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <map>
#include <random>

namespace fredsim::hw {
namespace {

using Key = std::pair<std::int64_t, std::uint32_t>;

// Changes are unique in (time, slot), so a map is the oracle.
void expect_sorted(const std::map<Key, std::int64_t>& wanted, std::mt19937_64& random) {
  std::vector<ValueChange> changes;
  for (const auto& [key, value] : wanted) changes.push_back({key.first, value, key.second});
  std::shuffle(changes.begin(), changes.end(), random);
  ChangeSorter().sort(changes);
  ASSERT_EQ(changes.size(), wanted.size());
  std::size_t i = 0;
  for (const auto& [key, value] : wanted) {
    ASSERT_EQ(changes[i].at_fs, key.first);
    ASSERT_EQ(changes[i].slot, key.second);
    ASSERT_EQ(changes[i].value, value);
    ++i;
  }
}

TEST(ChangeSorter, SortsAnySpreadOfTimes) {
  constexpr std::int64_t longest = std::numeric_limits<std::int64_t>::max();
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    std::mt19937_64 random(seed);
    const std::int64_t spans[] = {0, 1, 2, 1000, 1'000'000'000'000, longest};
    const std::int64_t span = spans[random() % 6];
    const std::int64_t base = span == longest ? 0 : static_cast<std::int64_t>(random() % 1'000'000);
    const bool one_burst = random() % 3 == 0;
    std::map<Key, std::int64_t> wanted;
    for (std::uint64_t n = random() % 2000; n > 0; --n) {
      const auto offset = static_cast<std::int64_t>(random() >> 1);
      const std::int64_t within = span == longest ? offset : offset % (span + 1);
      const bool at_begin = one_burst && n != 1;
      wanted[{base + (at_begin ? within % 10 : within), static_cast<std::uint32_t>(random() % 50)}] =
          static_cast<std::int64_t>(random());
    }
    expect_sorted(wanted, random);
  }
}

TEST(ChangeSorter, CanBeUsedAgainWithBatchesOfOtherSizes) {
  ChangeSorter sorter;
  for (const std::size_t size : {5000u, 3u, 0u, 1u, 200u}) {
    std::vector<ValueChange> changes;
    for (std::size_t i = 0; i < size; ++i) changes.push_back({static_cast<std::int64_t>(size - i), 7, 1});
    sorter.sort(changes);
    ASSERT_EQ(changes.size(), size);
    for (std::size_t i = 0; i < size; ++i) ASSERT_EQ(changes[i].at_fs, static_cast<std::int64_t>(i + 1));
  }
}

}  // namespace
}  // namespace fredsim::hw
