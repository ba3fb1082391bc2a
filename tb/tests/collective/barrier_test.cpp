#include "accel/collective/barrier.h"

#include <gtest/gtest.h>

#include <set>

namespace fredsim::accel {
namespace {

// In the end everyone has heard, directly or through others, of everyone; and nobody sends before that lets
// it.
TEST(DisseminationBarrier, HearsOfAllInLogarithmicallyManyRounds) {
  for (std::uint32_t n = 1; n <= 40; ++n) {
    const std::vector<RankSteps> ranks = dissemination_barrier(n);
    ASSERT_EQ(ranks.size(), n);
    std::uint32_t rounds = 0;
    while (1u << rounds < n) ++rounds;
    std::vector<std::set<std::uint32_t>> heard(n);
    for (std::uint32_t r = 0; r < n; ++r) heard[r] = {r};
    for (std::uint32_t k = 0; k < rounds; ++k) {
      const auto before = heard;
      for (std::uint32_t r = 0; r < n; ++r) {
        ASSERT_EQ(ranks[r].sends.size(), rounds);
        EXPECT_EQ(ranks[r].sends[k].waits, k);
        const std::uint32_t to = ranks[r].to[k].rank;
        EXPECT_EQ(ranks[to].from[k].rank, r);
        heard[to].insert(before[r].begin(), before[r].end());
      }
    }
    for (std::uint32_t r = 0; r < n; ++r) EXPECT_EQ(heard[r].size(), n);
  }
}

}  // namespace
}  // namespace fredsim::accel
