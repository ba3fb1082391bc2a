// What the plan makes of collectives that the NPUs carry out among themselves.
#include <gtest/gtest.h>

#include <numeric>

#include "tb/plan/endpoint_streams.h"
#include "tb/plan/expected_traffic.h"
#include "tb/plan/mesh_spread.h"
#include "tb/plan/plan.h"
#include "tb/tests/plan/workloads.h"

namespace fredsim::tb {
namespace {

using hw::OperationType;
using testing::WorkloadBuilder;

std::vector<std::uint32_t> first(std::uint32_t count) {
  std::vector<std::uint32_t> npus(count);
  std::iota(npus.begin(), npus.end(), 0u);
  return npus;
}

PlanOptions wafer(AlgorithmChoice algorithm) {
  PlanOptions options;
  options.tree.leaf_npus = 4;
  options.tree.upper = {{5, 4}};
  options.algorithm.fill(algorithm);
  options.npu_bandwidth = hw::parse_bandwidth("3 TB/s");
  options.level_bandwidth = {options.npu_bandwidth, hw::parse_bandwidth("375 GB/s")};
  return options;
}

TEST(EndpointPlan, IsMadeOnceForEqualOperations) {
  WorkloadBuilder b(20);
  b.add("a", OperationType::all_reduce, {0, 1, 2, 3}, 8000);
  b.add("b", OperationType::all_reduce, {4, 5, 6, 7}, 8000);
  b.add("c", OperationType::all_reduce, {4, 5, 6, 7}, 8002);
  b.add("d", OperationType::all_reduce, {7, 6, 5, 4}, 8000);
  const Plan plan = make_plan(b.workload(), wafer(AlgorithmChoice::ring));
  EXPECT_EQ(plan.operations[0].endpoint, plan.operations[1].endpoint);
  EXPECT_NE(plan.operations[0].endpoint, plan.operations[2].endpoint);
  EXPECT_NE(plan.operations[0].endpoint, plan.operations[3].endpoint);
  EXPECT_EQ(plan.operations[3].endpoint->request.ring, (accel::Ranks{3, 2, 1, 0}));
}

TEST(EndpointPlan, HasAHierarchyOnlyWhereThereIsOne) {
  const auto algorithm = [](const std::vector<std::uint32_t>& npus) {
    WorkloadBuilder b(20);
    b.add("a", OperationType::all_reduce, npus, 8000);
    return make_plan(b.workload(), wafer(AlgorithmChoice::hierarchical_ring)).operations[0].algorithm;
  };
  EXPECT_EQ(algorithm(first(20)), "hierarchical-ring");
  EXPECT_EQ(algorithm({0, 1, 6, 7}), "hierarchical-ring");
  EXPECT_EQ(algorithm({0, 1, 2, 3}), "ring");
  EXPECT_EQ(algorithm({0, 4, 8, 12, 16}), "ring");
  EXPECT_EQ(algorithm({0, 1, 4}), "ring");
}

TEST(EndpointPlan, CutsChunksOfWholePackets) {
  const auto chunks = [](std::uint64_t bytes, AlgorithmChoice algorithm) {
    WorkloadBuilder b(20);
    b.add("a", OperationType::all_reduce, first(20), bytes);
    return make_plan(b.workload(), wafer(algorithm)).operations[0].endpoint->request.chunks;
  };
  EXPECT_EQ(chunks(100, AlgorithmChoice::ring), 1u);
  EXPECT_EQ(chunks(20 * 4090 * 3, AlgorithmChoice::ring), 3u);
  EXPECT_EQ(chunks(20 * 4090 * 3, AlgorithmChoice::bidirectional_ring), 1u);
  EXPECT_EQ(chunks(1 << 30, AlgorithmChoice::ring), 16u);
}

// 2 (N - 1) / N D leave every NPU, over four stripes where the way goes over planes.
TEST(EndpointPlan, SendsRoundTheRing) {
  WorkloadBuilder b(20);
  const std::uint64_t shard = 5 * 4090;
  b.add("a", OperationType::all_reduce, first(20), 20 * shard);
  PlanOptions options = wafer(AlgorithmChoice::ring);
  options.chunks = 1;
  const Plan plan = make_plan(b.workload(), options);
  for (std::uint32_t n = 0; n < 20; ++n) {
    const accel::Part& part = plan.programs[n].parts.at(0);
    ASSERT_EQ(part.sends.size(), 1u);
    EXPECT_EQ(part.sends[0].bytes, 38 * shard);
    EXPECT_EQ(part.sends[0].stripes, n % 4 == 3 ? 4u : 1u);
    EXPECT_EQ(part.receives.size(), n % 4 == 0 ? 4u : 1u);
    std::uint64_t packets = 0;
    for (const accel::ReceiveStream& receive : part.receives) packets += receive.packets;
    EXPECT_EQ(packets, 38u * 5);
  }
  for (const NpuTraffic& npu : expected_traffic(plan, options.packet)) {
    EXPECT_EQ(npu.sent.bytes, 38 * (shard + 5 * 6));
    EXPECT_EQ(npu.received.bytes, 38 * (shard + 5 * 6));
  }
}

// Every message is cut by itself, one of 5000 bytes into two packets of 2500.
TEST(EndpointStreams, AreDealtOutMessageByMessage) {
  EndpointStream stream;
  stream.message_elements = {100, 5000, 100};
  stream.flow.bytes = 5200;
  stream.flow.packets = 4;
  const std::vector<hw::Flow> stripes = stripes_of(stream, 1, 3, hw::PacketFormat());
  ASSERT_EQ(stripes.size(), 3u);
  EXPECT_EQ(stripes[0].bytes, 200u);
  EXPECT_EQ(stripes[0].packets, 2u);
  EXPECT_EQ(stripes[1].bytes, 2500u);
  EXPECT_EQ(stripes[2].bytes, 2500u);
}

// On Fred-A an NPU has a quarter of its switch's 1.5 TB/s for what goes across.
TEST(EndpointPlan, PacesWhatLeavesASwitch) {
  WorkloadBuilder b(20);
  b.add("a", OperationType::all_reduce, first(20), 1 << 20);
  const Plan plan = make_plan(b.workload(), wafer(AlgorithmChoice::hierarchical_ring));
  const accel::EndpointPart& part = *plan.programs[5].parts.at(0).endpoint;
  ASSERT_EQ(part.steps->to.size(), 2u);
  for (std::size_t p = 0; p < 2; ++p) {
    const bool across = part.steps->to[p].rank / 4 != 1;
    EXPECT_EQ(hw::to_string(part.pace[p]), across ? "375 GB/s" : hw::to_string(hw::Bandwidth()));
  }
}

// On Fred-A and Fred-B 15 controllers of other leaves share 1.5 TB/s; on a mesh nine share a link of 750
// GB/s.
TEST(LoadPlan, PacesControllersToTheirShareOfTheBusiestLink) {
  WorkloadBuilder b(20);
  b.add("w", OperationType::load, first(20), 1 << 20);
  PlanOptions options = wafer(AlgorithmChoice::automatic);
  options.tree.io_controllers = 18;
  options.io_bandwidth = hw::parse_bandwidth("128 GB/s");
  const auto pace = [&] {
    return hw::to_string(make_plan(b.workload(), options).programs.at(20).parts.at(0).pace);
  };
  EXPECT_EQ(pace(), "100 GB/s");
  options.level_bandwidth[1] = hw::parse_bandwidth("3 TB/s");
  EXPECT_EQ(pace(), hw::to_string(hw::Bandwidth()));
  options.mesh = MeshOptions{sw::Mesh(4, 5), hw::parse_bandwidth("750 GB/s")};
  EXPECT_EQ(make_plan(b.workload(), options).programs.at(20).parts.at(0).pace.bits_per_second(),
            750'000'000'000u * 8 / 9);
}

TEST(EndpointPlan, PacesWhatSharesALinkOfAMesh) {
  const MeshSpread spread(sw::Mesh(4, 2), hw::parse_bandwidth("750 GB/s"), hw::parse_bandwidth("3 TB/s"));
  const auto pace = spread.pace_of({{hw::NpuId(0), hw::NpuId(1)},
                                    {hw::NpuId(0), hw::NpuId(2)},
                                    {hw::NpuId(2), hw::NpuId(3)},
                                    {hw::NpuId(3), hw::NpuId(0)}});
  EXPECT_EQ(hw::to_string(pace[0]), "375 GB/s");
  EXPECT_EQ(hw::to_string(pace[1]), "375 GB/s");
  EXPECT_EQ(hw::to_string(pace[2]), "750 GB/s");
  EXPECT_EQ(hw::to_string(pace[3]), "750 GB/s");
}

TEST(EndpointPlan, OfAMeshIsByDimensionsForAllAndARingForOthers) {
  WorkloadBuilder b(20);
  b.add("all", OperationType::all_reduce, first(20), 8000);
  b.add("column", OperationType::all_gather, {0, 4, 8}, 8000);
  b.add("pairs", OperationType::all_to_all, {0, 4, 8}, 8000);
  b.add("barrier", OperationType::barrier, {0, 4, 8});
  PlanOptions options;
  options.mesh = MeshOptions{sw::Mesh(4, 5), hw::parse_bandwidth("750 GB/s")};
  options.npu_bandwidth = hw::parse_bandwidth("3 TB/s");
  const Plan plan = make_plan(b.workload(), options);
  EXPECT_EQ(plan.operations[0].algorithm, "hierarchical-2d");
  EXPECT_EQ(plan.operations[1].algorithm, "ring");
  EXPECT_EQ(plan.operations[3].algorithm, "dissemination");
  EXPECT_TRUE(plan.switches.empty());
  EXPECT_EQ(plan.routes->flows(), plan.flows.size());
}

}  // namespace
}  // namespace fredsim::tb
