// Every algorithm gives every rank the right result, whatever the group size, the number of elements and the
// number of chunks; and in whatever order the ranks get along, sums are taken in the order of the list.
#include <gtest/gtest.h>

#include <algorithm>
#include <tuple>

#include "hw/core/error.h"
#include "tb/tests/collective/player.h"

namespace fredsim::accel::test {
namespace {

using hw::OperationType;

const std::vector<OperationType> types = {OperationType::all_reduce, OperationType::reduce_scatter,
                                          OperationType::all_gather, OperationType::broadcast,
                                          OperationType::reduce};
const std::vector<Algorithm> algorithms = {Algorithm::ring,
                                           Algorithm::bidirectional_ring,
                                           Algorithm::hierarchical_ring,
                                           Algorithm::hierarchical_2d,
                                           Algorithm::direct,
                                           Algorithm::halving_doubling};

/// "2+0+1" of "((2+0)+1)": each term once, sorted.
std::string terms(const Element& element) {
  std::vector<int> found;
  for (std::size_t i = 0; i < element.size();) {
    if (!std::isdigit(static_cast<unsigned char>(element[i]))) {
      ++i;
      continue;
    }
    std::size_t end = i;
    while (end < element.size() && std::isdigit(static_cast<unsigned char>(element[end]))) ++end;
    found.push_back(std::stoi(element.substr(i, end - i)));
    i = end;
  }
  std::sort(found.begin(), found.end());
  std::string text;
  for (const int term : found) text += std::to_string(term) + " ";
  return text;
}

std::string all_terms(std::uint32_t ranks) {
  std::string text;
  for (std::uint32_t r = 0; r < ranks; ++r) text += std::to_string(r) + " ";
  return text;
}

Element expected(const CollectiveRequest& request, std::uint64_t element) {
  switch (request.type) {
    case OperationType::all_gather:
      for (std::uint32_t r = 0;; ++r) {
        if (element < hw::shard(request.elements, request.ranks, r).end) return std::to_string(r) + " ";
      }
    case OperationType::broadcast:
      return std::to_string(request.root) + " ";
    default:
      return all_terms(request.ranks);
  }
}

void expect_right(const CollectiveRequest& request, std::uint64_t seed) {
  SCOPED_TRACE(testing::Message() << to_string(request.algorithm) << " " << hw::to_string(request.type)
                                  << " of " << request.elements << " among " << request.ranks << ", root "
                                  << request.root << ", chunks " << request.chunks);
  const Steps steps = make_steps(request);
  const Memory in_order = play_list(request, steps);
  const std::vector<RankSteps> ranks = steps_by_rank(request, steps);
  const Memory ahead = play_ranks(request, ranks, seed);
  for (std::uint32_t r = 0; r < request.ranks; ++r) {
    const hw::Range result = ends_of(request, r).result;
    for (std::uint64_t e = result.begin; e < result.end; ++e) {
      ASSERT_EQ(terms(in_order[r][e]), expected(request, e)) << "rank " << r << ", element " << e;
      ASSERT_EQ(ahead[r][e], in_order[r][e]) << "rank " << r << ", element " << e;
      // The same bits at every rank.
      if (request.type == OperationType::all_reduce) {
        ASSERT_EQ(in_order[r][e], in_order[0][e]);
      }
    }
  }
}

/// Row lengths that a group of `ranks` can have.
std::vector<std::uint32_t> row_lengths(std::uint32_t ranks, Algorithm algorithm) {
  if (!is_hierarchical(algorithm)) return {ranks};
  std::vector<std::uint32_t> lengths;
  for (std::uint32_t c = 1; c <= ranks; ++c) {
    if (ranks % c == 0) lengths.push_back(c);
  }
  return lengths;
}

class Collectives : public testing::TestWithParam<std::tuple<OperationType, Algorithm>> {
 protected:
  void expect_right_among(std::uint32_t ranks, std::uint64_t elements, std::uint32_t chunks) {
    CollectiveRequest request;
    std::tie(request.type, request.algorithm) = GetParam();
    request.ranks = ranks;
    request.chunks = chunks;
    request.elements = request.type == OperationType::all_gather ? elements / ranks * ranks : elements;
    request.root = ranks / 3;
    for (const std::uint32_t columns : row_lengths(ranks, request.algorithm)) {
      request.groups = rows(ranks, columns);
      expect_right(request, ranks * 1000 + elements);
    }
  }
};

TEST_P(Collectives, AreRightForEveryGroupSize) {
  for (std::uint32_t ranks = 1; ranks <= 20; ++ranks) {
    for (const std::uint64_t elements : {0u, 1u, 7u, 19u, 61u}) expect_right_among(ranks, elements, 1);
    expect_right_among(ranks, 83, 3);
  }
}

TEST_P(Collectives, AreRightForLargerGroups) {
  for (const std::uint32_t ranks : {24u, 31u, 48u}) expect_right_among(ranks, 2 * ranks + 1, 2);
}

TEST_P(Collectives, GoRoundARingOfAnyOrder) {
  CollectiveRequest request;
  std::tie(request.type, request.algorithm) = GetParam();
  request.ranks = 5;
  request.elements = 35;
  request.ring = {3, 0, 4, 2, 1};
  request.groups = {{3, 0, 4, 2, 1}};
  for (request.root = 0; request.root < 5; ++request.root) expect_right(request, request.root);
}

INSTANTIATE_TEST_SUITE_P(Algorithms, Collectives,
                         testing::Combine(testing::ValuesIn(types), testing::ValuesIn(algorithms)),
                         [](const auto& test) {
                           std::string name = std::string(hw::to_string(std::get<0>(test.param))) + "_" +
                                              std::string(to_string(std::get<1>(test.param)));
                           std::replace(name.begin(), name.end(), '-', '_');
                           return name;
                         });

TEST(Collective, WithGroupsThatAreNoneIsRefused) {
  CollectiveRequest request;
  request.algorithm = Algorithm::hierarchical_ring;
  request.ranks = 4;
  request.elements = 8;
  for (const std::vector<Ranks>& groups :
       std::vector<std::vector<Ranks>>{{}, {{0, 1}, {2}}, {{0, 1}, {2, 2}}, {{0, 1}}}) {
    request.groups = groups;
    EXPECT_THROW(make_steps(request), hw::InternalError);
  }
  request.type = OperationType::all_to_all;
  request.algorithm = Algorithm::ring;
  EXPECT_THROW(make_steps(request), hw::InternalError);
}

TEST(StepsByRank, RefusesWhatARankDoesNotHave) {
  CollectiveRequest request;
  request.type = OperationType::broadcast;
  request.ranks = 3;
  request.elements = 4;
  EXPECT_THROW(steps_by_rank(request, {{1, 2, {0, 4}, false, 0}}), hw::InternalError);
  EXPECT_THROW(steps_by_rank(request, {{0, 1, {0, 4}, false, 0}}), hw::InternalError);
}

}  // namespace
}  // namespace fredsim::accel::test
