#include "tb/verify/step_order.h"

#include <gtest/gtest.h>

namespace fredsim::tb {
namespace {

std::string text(const std::vector<ReductionOrder::Step>& steps) {
  std::string result;
  for (const ReductionOrder::Step& step : steps)
    result += std::to_string(step.left) + "+" + std::to_string(step.right) + " ";
  return result;
}

std::string order_at(const ReductionOrder::Orders& orders, std::uint64_t element) {
  for (const ReductionOrder::Stretch& stretch : orders.stretches) {
    if (element < stretch.end) return text(orders.orders[stretch.order]);
  }
  return "none";
}

// Shard s of a ring begins at rank s + 1 and ends at rank s.
TEST(StepOrder, OfARingDiffersByShard) {
  accel::CollectiveRequest request;
  request.ranks = 4;
  request.elements = 10;
  const ReductionOrder::Orders orders = orders_of_steps(request, accel::make_steps(request));
  EXPECT_EQ(orders.orders.size(), 4u);
  EXPECT_EQ(order_at(orders, 0), "2+1 3+2 0+3 ");
  EXPECT_EQ(order_at(orders, 1), "2+1 3+2 0+3 ");
  EXPECT_EQ(order_at(orders, 2), "3+2 0+3 1+0 ");
  EXPECT_EQ(order_at(orders, 9), "1+0 2+1 3+2 ");
}

// Of every chunk the same; those of one shard share an order.
TEST(StepOrder, OfChunksIsSharedAmongThem) {
  accel::CollectiveRequest request;
  request.ranks = 3;
  request.elements = 60;
  request.chunks = 5;
  const ReductionOrder::Orders orders = orders_of_steps(request, accel::make_steps(request));
  EXPECT_EQ(orders.orders.size(), 3u);
  EXPECT_EQ(orders.stretches.size(), 15u);
  EXPECT_EQ(orders.stretches.back().end, 60u);
}

TEST(StepOrder, OfAReduceIsThatOfItsRoot) {
  accel::CollectiveRequest request;
  request.type = hw::OperationType::reduce;
  request.algorithm = accel::Algorithm::halving_doubling;
  request.ranks = 4;
  request.root = 1;
  request.elements = 8;
  const ReductionOrder::Orders orders = orders_of_steps(request, accel::make_steps(request));
  ASSERT_EQ(orders.orders.size(), 1u);
  EXPECT_EQ(text(orders.orders[0]), "1+3 2+0 1+2 ");
}

}  // namespace
}  // namespace fredsim::tb
