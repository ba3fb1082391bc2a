#include <gtest/gtest.h>

#include "tb/plan/expected_traffic.h"
#include "tb/plan/plan.h"
#include "tb/tests/plan/workloads.h"

namespace fredsim::tb {
namespace {

using hw::OperationType;
using testing::WorkloadBuilder;

/// 64 MiB of FP16 all-reduced in the network cross every link once each way, in packets of 2045 elements.
TEST(ExpectedTraffic, OfAnAllReduceIsItsDataOnceEachWay) {
  WorkloadBuilder b(8);
  const std::uint64_t bytes = 64 << 20;
  b.add("a", OperationType::all_reduce, {0, 1, 2, 3, 4, 5, 6, 7}, bytes);
  const Plan plan = make_plan(b.workload(), {});
  const std::uint64_t packets = (bytes + 4089) / 4090;
  for (const NpuTraffic& npu : expected_traffic(plan, {})) {
    EXPECT_EQ(npu.sent.packets, packets);
    EXPECT_EQ(npu.sent.bytes, bytes + 6 * packets);
    EXPECT_EQ(npu.received.packets, packets);
    EXPECT_EQ(npu.received.bytes, bytes + 6 * packets);
    EXPECT_EQ(npu.sent.control_packets, 0u);
  }
}

/// By hand, for FP32: a packet carries 1022 elements, 4088 bytes.
TEST(ExpectedTraffic, OfAReduceScatterIsAllUpAndAShardDown) {
  WorkloadBuilder b(4);
  const auto o = b.add("a", OperationType::reduce_scatter, {3, 1}, 10'001);
  b.at(o).dtype = hw::DType::fp32;
  const std::vector<NpuTraffic> traffic = expected_traffic(make_plan(b.workload(), {}), {});
  // 2501 elements: shards of 1250 and 1251, two packets each.
  EXPECT_EQ(traffic[3].sent.bytes, 2501u * 4 + 4 * 6);
  EXPECT_EQ(traffic[1].sent.bytes, 2501u * 4 + 4 * 6);
  EXPECT_EQ(traffic[3].received.bytes, 1250u * 4 + 2 * 6);
  EXPECT_EQ(traffic[1].received.bytes, 1251u * 4 + 2 * 6);
  EXPECT_EQ(traffic[0].sent.packets + traffic[2].received.packets, 0u);
}

TEST(ExpectedTraffic, CountsControlPacketsApart) {
  WorkloadBuilder b(4);
  b.add("b", OperationType::barrier, {0, 2});
  b.add_message("m", 2, 3, 1);
  const std::vector<NpuTraffic> traffic = expected_traffic(make_plan(b.workload(), {}), {});
  EXPECT_EQ(traffic[2].sent.control_packets, 1u);
  EXPECT_EQ(traffic[2].received.control_packets, 1u);
  EXPECT_EQ(traffic[2].sent.packets, 1u);
  EXPECT_EQ(traffic[2].sent.bytes, 7u);
  EXPECT_EQ(traffic[3].received.bytes, 7u);
  EXPECT_EQ(traffic[3].received.control_packets, 0u);
}

TEST(ExpectedTraffic, OfAnAllGatherIsAShardUpAndTheOthersDown) {
  WorkloadBuilder b(8);
  b.add("g", OperationType::all_gather, {0, 1, 2, 3, 4}, 5'000);
  const std::vector<NpuTraffic> traffic = expected_traffic(make_plan(b.workload(), {}), {});
  for (std::uint32_t n = 0; n < 5; ++n) {
    EXPECT_EQ(traffic[n].sent.bytes, 5'000u + 2 * 6);
    EXPECT_EQ(traffic[n].received.bytes, 4 * (5'000u + 2 * 6));
  }
}

}  // namespace
}  // namespace fredsim::tb
