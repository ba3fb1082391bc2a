// The order in which sums are taken, which is part of what an algorithm is: with rounding it shows.
#include <gtest/gtest.h>

#include "tb/tests/collective/player.h"

namespace fredsim::accel::test {
namespace {

Element of(const CollectiveRequest& request, std::uint32_t rank, std::uint64_t element) {
  return play_list(request, make_steps(request)).at(rank).at(element);
}

CollectiveRequest all_reduce(Algorithm algorithm, std::uint32_t ranks) {
  CollectiveRequest request;
  request.algorithm = algorithm;
  request.ranks = ranks;
  request.elements = ranks;
  request.groups = rows(ranks, ranks % 2 == 0 ? 2 : ranks);
  return request;
}

TEST(OrderOf, ARingBeginsBehindTheOwnerOfTheShard) {
  EXPECT_EQ(of(all_reduce(Algorithm::ring, 4), 0, 0), "(0+(3+(2+1)))");
  EXPECT_EQ(of(all_reduce(Algorithm::ring, 4), 3, 2), "(2+(1+(0+3)))");
}
TEST(OrderOf, ADirectExchangeIsFromTheNearestBelowDown) {
  EXPECT_EQ(of(all_reduce(Algorithm::direct, 4), 1, 2), "(((2+1)+0)+3)");
}
TEST(OrderOf, HalvingAddsPairs) {
  EXPECT_EQ(of(all_reduce(Algorithm::halving_doubling, 4), 2, 0), "((0+2)+(1+3))");
  EXPECT_EQ(of(all_reduce(Algorithm::halving_doubling, 3), 2, 0), "((1+0)+2)");
}
TEST(OrderOf, AHierarchicalRingAddsGroupsFirst) {
  EXPECT_EQ(of(all_reduce(Algorithm::hierarchical_ring, 4), 0, 0), "((0+1)+(2+3))");
}

}  // namespace
}  // namespace fredsim::accel::test
