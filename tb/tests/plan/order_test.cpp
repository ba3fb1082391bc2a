#include "tb/plan/order.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "hw/core/error.h"
#include "tb/tests/plan/workloads.h"

namespace fredsim::tb {
namespace {

using hw::OperationId;
using hw::OperationType;
using testing::WorkloadBuilder;

std::vector<std::uint32_t> values(const std::vector<OperationId>& ids) {
  std::vector<std::uint32_t> v;
  for (const OperationId id : ids) v.push_back(id.value);
  return v;
}

using Ids = std::vector<std::uint32_t>;

TEST(Order, IsFileOrderWhenNothingDepends) {
  WorkloadBuilder b(2);
  b.add("a", OperationType::all_reduce, {0, 1}, 8);
  b.add("b", OperationType::compute, {1});
  b.add("c", OperationType::all_reduce, {1, 0}, 8);
  const Order order = make_order(b.workload());
  EXPECT_EQ(values(order.operations), (Ids{0, 1, 2}));
  EXPECT_EQ(values(order.of_npu[0]), (Ids{0, 2}));
  EXPECT_EQ(values(order.of_npu[1]), (Ids{0, 1, 2}));
}

TEST(Order, FollowsEveryKindOfDependency) {
  WorkloadBuilder b(4);
  const OperationId late = b.add("late", OperationType::all_reduce, {0, 1}, 8);
  const OperationId recv = b.add("recv", OperationType::recv, {0}, 8);
  const OperationId send = b.add("send", OperationType::send, {2}, 8);
  const OperationId barrier = b.add("everyone", OperationType::barrier, {2, 3});
  b.at(recv).peer = hw::NpuId(2);
  b.at(recv).partner = send;
  b.at(send).peer = hw::NpuId(0);
  b.at(send).partner = recv;
  b.at(late).after = {recv};
  b.at(send).after_all = {barrier};
  EXPECT_EQ(values(make_order(b.workload()).operations),
            (Ids{barrier.value, send.value, recv.value, late.value}));
}

/// The lowest operation in file order of those whose dependencies have all been taken, found by looking at
/// all.
std::vector<std::uint32_t> naive_order(const hw::Workload& workload) {
  std::vector<std::uint32_t> order;
  std::vector<bool> taken(workload.operations.size(), false);
  while (order.size() < taken.size()) {
    for (std::uint32_t o = 0; o < taken.size(); ++o) {
      bool ready = !taken[o];
      for (const OperationId before : workload.operations[o].after) ready = ready && taken[before.value];
      if (!ready) continue;
      taken[o] = true;
      order.push_back(o);
      break;
    }
  }
  return order;
}

TEST(Order, EqualsTheNaiveOneOnRandomGraphs) {
  for (std::uint32_t seed = 1; seed <= 40; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    std::mt19937 random(seed);
    const std::uint32_t count = 60;
    std::vector<std::uint32_t> rank(count);
    for (std::uint32_t i = 0; i < count; ++i) rank[i] = i;
    std::shuffle(rank.begin(), rank.end(), random);
    WorkloadBuilder b(1);
    for (std::uint32_t i = 0; i < count; ++i) b.add("o" + std::to_string(i), OperationType::compute, {0});
    for (std::uint32_t e = 0; e < 2 * count; ++e) {
      const std::uint32_t x = random() % count, y = random() % count;
      if (rank[x] < rank[y]) b.at(OperationId(y)).after.emplace_back(x);
    }
    const Order order = make_order(b.workload());
    EXPECT_EQ(values(order.operations), naive_order(b.workload()));
    EXPECT_EQ(order.of_npu[0], order.operations);
  }
}

/// NPU 0 does a then b, NPU 1 does b then a, said by computes: no cycle among the parts, one among the
/// operations.
TEST(Order, KeepsOppositeOrdersOfNpus) {
  WorkloadBuilder b(2);
  const OperationId first = b.add("first", OperationType::barrier, {0, 1});
  const OperationId x = b.add("a", OperationType::all_reduce, {0, 1}, 8, {first});
  const OperationId y = b.add("b", OperationType::all_reduce, {0, 1}, 8, {first});
  const OperationId c0 = b.add("c0", OperationType::compute, {0}, 0, {x});
  const OperationId c1 = b.add("c1", OperationType::compute, {1}, 0, {y});
  b.at(y).after.push_back(c0);
  b.at(x).after.push_back(c1);
  const OperationId last = b.add("last", OperationType::barrier, {0, 1}, 0, {x, y});
  const Order order = make_order(b.workload());
  EXPECT_EQ(order.of_npu[0], (std::vector<OperationId>{first, x, c0, y, last}));
  EXPECT_EQ(order.of_npu[1], (std::vector<OperationId>{first, y, c1, x, last}));
  EXPECT_EQ(order.operations.size(), 6u);
  EXPECT_EQ(order.operations.front(), first);
  EXPECT_EQ(order.operations.back(), last);
}

/// Random orders of the same operations at each NPU, as computes of zero time say them: every NPU keeps its
/// own.
TEST(Order, KeepsRandomOrdersOfNpus) {
  for (std::uint32_t seed = 1; seed <= 20; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    std::mt19937 random(seed);
    WorkloadBuilder b(4);
    std::vector<OperationId> collectives;
    for (int i = 0; i < 6; ++i) {
      collectives.push_back(b.add("r" + std::to_string(i), OperationType::all_reduce, {0, 1, 2, 3}, 8));
    }
    std::vector<std::vector<OperationId>> wanted(4);
    for (std::uint32_t n = 0; n < 4; ++n) {
      std::vector<OperationId> mine = collectives;
      std::shuffle(mine.begin(), mine.end(), random);
      for (std::size_t i = 0; i < mine.size(); ++i) {
        if (i > 0) {
          const OperationId c = b.add("c" + std::to_string(n) + "." + std::to_string(i),
                                      OperationType::compute, {n}, 0, {mine[i - 1]});
          b.at(mine[i]).after.push_back(c);
          wanted[n].push_back(c);
        }
        wanted[n].push_back(mine[i]);
      }
    }
    const Order order = make_order(b.workload());
    for (std::size_t n = 0; n < 4; ++n) EXPECT_EQ(order.of_npu[n], wanted[n]);
    EXPECT_EQ(order.operations.size(), b.workload().operations.size());
  }
}

TEST(Order, RefusesACycleOfParts) {
  WorkloadBuilder b(1);
  const OperationId x = b.add("x", OperationType::compute, {0});
  const OperationId y = b.add("y", OperationType::compute, {0}, 0, {x});
  b.at(x).after.push_back(y);
  EXPECT_THROW(make_order(b.workload()), hw::InternalError);
}

}  // namespace
}  // namespace fredsim::tb
