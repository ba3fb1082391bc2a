#include "tb/plan/concurrency.h"

#include <gtest/gtest.h>

#include <random>

#include "tb/tests/plan/workloads.h"

namespace fredsim::tb {
namespace {

using hw::OperationId;
using testing::WorkloadBuilder;

TEST(Concurrency, IsTheComplementOfReachability) {
  for (std::uint32_t seed = 1; seed <= 10; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    std::mt19937 random(seed);
    const std::uint32_t count = 120;
    WorkloadBuilder b(1);
    std::vector<bool> chosen;
    std::vector<std::vector<bool>> reaches(count, std::vector<bool>(count, false));
    for (std::uint32_t i = 0; i < count; ++i) {
      const OperationId o = b.add("o" + std::to_string(i), hw::OperationType::compute, {0});
      for (std::uint32_t e = 0; i > 0 && e < random() % 3; ++e) {
        const std::uint32_t before = random() % i;
        b.at(o).after.emplace_back(before);
        reaches[before][i] = true;
        for (std::uint32_t k = 0; k < count; ++k) {
          if (reaches[k][before]) reaches[k][i] = true;
        }
      }
      chosen.push_back(random() % 2 == 0);
    }
    const Concurrency concurrency(b.workload(), make_order(b.workload()), chosen);
    const auto& operations = concurrency.operations();
    for (std::size_t j = 0; j < operations.size(); ++j) {
      EXPECT_TRUE(chosen[operations[j].value]);
      for (std::size_t i = 0; i < j; ++i) {
        const bool ordered = reaches[operations[i].value][operations[j].value];
        EXPECT_FALSE(reaches[operations[j].value][operations[i].value]);
        EXPECT_EQ(concurrency.together(i, j), !ordered) << i << " " << j;
      }
    }
  }
}

/// In a chain longer than the window nothing is ever in flight together, near or far.
TEST(Concurrency, OfAChainIsNone) {
  WorkloadBuilder b(1);
  std::vector<OperationId> before;
  const std::size_t count = Concurrency::window + 100;
  for (std::size_t i = 0; i < count; ++i) {
    before = {b.add("o" + std::to_string(i), hw::OperationType::compute, {0}, 0, before)};
  }
  const Concurrency concurrency(b.workload(), make_order(b.workload()), std::vector<bool>(count, true));
  for (std::size_t j = 0; j < count; ++j) {
    for (std::size_t i = 0; i < j; ++i) ASSERT_FALSE(concurrency.together(i, j)) << i << " " << j;
  }
}

}  // namespace
}  // namespace fredsim::tb
