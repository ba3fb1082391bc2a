// What every rank sends and receives, and what crosses every link of a ring, against closed forms.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "tb/tests/collective/player.h"

namespace fredsim::accel::test {
namespace {

using hw::OperationType;

struct Traffic {
  std::vector<std::uint64_t> sent, received;
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint64_t> between;
};

Traffic traffic_of(const CollectiveRequest& request) {
  Traffic traffic{std::vector<std::uint64_t>(request.ranks), std::vector<std::uint64_t>(request.ranks), {}};
  for (const Step& step : make_steps(request)) {
    traffic.sent[step.from] += step.elements.size();
    traffic.received[step.to] += step.elements.size();
    traffic.between[{step.from, step.to}] += step.elements.size();
  }
  return traffic;
}

CollectiveRequest request_of(OperationType type, Algorithm algorithm, std::uint32_t ranks,
                             std::uint64_t elements) {
  CollectiveRequest request;
  request.type = type;
  request.algorithm = algorithm;
  request.ranks = ranks;
  request.elements = elements;
  return request;
}

// 2 (N - 1) / N D for an all-reduce, half of that for its halves (Thakur, Rabenseifner, Gropp 2005).
TEST(BytesOf, RingsAndDirectExchangesAreOptimal) {
  for (std::uint32_t n = 2; n <= 20; ++n) {
    for (const Algorithm a : {Algorithm::ring, Algorithm::bidirectional_ring, Algorithm::direct}) {
      const std::uint64_t d = 12 * n;
      for (const auto& [type, factor] : {std::pair{OperationType::all_reduce, 2u},
                                         {OperationType::reduce_scatter, 1u},
                                         {OperationType::all_gather, 1u}}) {
        const Traffic traffic = traffic_of(request_of(type, a, n, d));
        for (std::uint32_t r = 0; r < n; ++r) {
          EXPECT_EQ(traffic.sent[r], factor * (n - 1) * d / n) << to_string(a) << " " << n;
          EXPECT_EQ(traffic.received[r], factor * (n - 1) * d / n);
        }
      }
    }
  }
}

TEST(BytesOf, ARingGoToTheNextRankOnly) {
  const Traffic one_way = traffic_of(request_of(OperationType::all_reduce, Algorithm::ring, 7, 70));
  EXPECT_EQ(one_way.between.size(), 7u);
  for (const auto& [pair, elements] : one_way.between) {
    EXPECT_EQ(pair.second, (pair.first + 1) % 7);
    EXPECT_EQ(elements, 2u * 6 * 10);
  }
  const Traffic both_ways =
      traffic_of(request_of(OperationType::all_reduce, Algorithm::bidirectional_ring, 7, 140));
  EXPECT_EQ(both_ways.between.size(), 14u);
  for (const auto& [pair, elements] : both_ways.between) EXPECT_EQ(elements, 2u * 6 * 10);
}

// With uneven shards a rank sends what the others' shards are, twice.
TEST(BytesOf, UnevenShardsAddUp) {
  for (std::uint32_t n = 2; n <= 20; ++n) {
    const Traffic traffic = traffic_of(request_of(OperationType::reduce_scatter, Algorithm::direct, n, 101));
    for (std::uint32_t r = 0; r < n; ++r) {
      EXPECT_EQ(traffic.sent[r], 101 - hw::shard(101, n, r).size());
      EXPECT_EQ(traffic.received[r], (n - 1) * hw::shard(101, n, r).size());
    }
  }
}

// Groups of k: 2 (k - 1) / k D within, 2 (g - 1) / g D / k across; together still 2 (N - 1) / N D.
TEST(BytesOf, HierarchicalRingsSplitBetweenWithinAndAcross) {
  for (const auto& [groups, k] : {std::pair{5u, 4u}, {2u, 3u}, {4u, 4u}, {3u, 2u}}) {
    const std::uint64_t n = groups * k;
    const std::uint64_t d = 6 * n;
    CollectiveRequest request =
        request_of(OperationType::all_reduce, Algorithm::hierarchical_ring, static_cast<std::uint32_t>(n), d);
    request.groups = rows(request.ranks, k);
    std::vector<std::uint64_t> within(n), across(n);
    for (const Step& step : make_steps(request)) {
      (step.from / k == step.to / k ? within : across)[step.from] += step.elements.size();
    }
    for (std::uint32_t r = 0; r < n; ++r) {
      EXPECT_EQ(within[r], 2 * (k - 1) * d / k);
      EXPECT_EQ(across[r], 2 * (groups - 1) * d / n);
    }
  }
}

// On 4 columns and 5 rows: what goes between rows is D, what goes within them 0.9 D.
TEST(BytesOf, HierarchicalRingsInTwoDimensionsLoadBoth) {
  const std::uint64_t d = 400;
  CollectiveRequest request = request_of(OperationType::all_reduce, Algorithm::hierarchical_2d, 20, d);
  request.groups = rows(20, 4);
  std::vector<std::uint64_t> by_row(20), by_column(20);
  for (const Step& step : make_steps(request)) {
    (step.from / 4 == step.to / 4 ? by_row : by_column)[step.from] += step.elements.size();
  }
  for (std::uint32_t r = 0; r < 20; ++r) {
    EXPECT_EQ(by_row[r], 9 * d / 10);
    EXPECT_EQ(by_column[r], d);
  }
}

// Cores send 2 (P - 1) / P D, P the power of two below N, and the whole result to their extra rank, which
// sends all its data once.
TEST(BytesOf, HalvingAndDoublingWithItsFold) {
  for (std::uint32_t n = 2; n <= 20; ++n) {
    std::uint32_t p = 1;
    while (2 * p <= n) p *= 2;
    const std::uint32_t extras = n - p;
    const std::uint64_t d = 16 * n;  // of ranks' blocks of 16; cores with an extra rank stand for two
    const Traffic traffic =
        traffic_of(request_of(OperationType::all_reduce, Algorithm::halving_doubling, n, d));
    std::uint64_t by_cores = 0;
    for (std::uint32_t r = 0; r < n; ++r) {
      const bool extra = r < 2 * extras && r % 2 == 0;
      const bool with_extra = r < 2 * extras && !extra;
      if (extra) {
        EXPECT_EQ(traffic.sent[r], d);
        EXPECT_EQ(traffic.received[r], d);
      } else {
        by_cores += traffic.sent[r] - (with_extra ? d : 0);
      }
    }
    EXPECT_EQ(by_cores, 2 * (p - 1) * d);
    if (extras == 0) {
      for (std::uint32_t r = 0; r < n; ++r) EXPECT_EQ(traffic.sent[r], 2 * (n - 1) * d / n);
    }
  }
}

TEST(BytesOf, RootedCollectives) {
  for (const OperationType type : {OperationType::broadcast, OperationType::reduce}) {
    for (const Algorithm a : {Algorithm::ring, Algorithm::bidirectional_ring, Algorithm::hierarchical_ring,
                              Algorithm::hierarchical_2d, Algorithm::direct, Algorithm::halving_doubling}) {
      CollectiveRequest request = request_of(type, a, 12, 24);
      request.groups = rows(12, 4);
      request.root = 5;
      const Traffic traffic = traffic_of(request);
      for (std::uint32_t r = 0; r < 12; ++r) {
        const std::uint64_t once = type == OperationType::broadcast ? traffic.received[r] : traffic.sent[r];
        EXPECT_EQ(once, r == 5 ? 0 : 24) << to_string(a);
      }
    }
  }
}

}  // namespace
}  // namespace fredsim::accel::test
