// Training workloads against what follows from the model and the strategy.
#include "traces/generate/training.h"

#include <gtest/gtest.h>

#include <map>
#include <set>

#include "hw/core/error.h"
#include "traces/format/check.h"

namespace fredsim::trace {
namespace {

using T = hw::OperationType;

TrainingPattern transformer(std::uint32_t mp, std::uint32_t pp, std::uint32_t dp) {
  TrainingPattern pattern;
  pattern.model = {"small", 0, transformer_layers(6, 64, 32, false)};
  pattern.mp = mp;
  pattern.pp = pp;
  pattern.dp = dp;
  pattern.samples = 8;
  pattern.microbatches = 4;
  return pattern;
}

/// Bytes of the operations of a type and class, summed over the NPUs of each and those NPUs.
std::map<std::uint32_t, std::uint64_t> bytes_by_npu(const hw::Workload& workload, T type,
                                                    hw::TrafficClass c) {
  std::map<std::uint32_t, std::uint64_t> bytes;
  for (const hw::Operation& operation : workload.operations) {
    if (operation.type != type || operation.traffic_class != c) continue;
    for (const hw::NpuId npu : operation.npus) bytes[npu.value] += operation.bytes;
  }
  return bytes;
}

double flops(const hw::Workload& workload) {
  double sum = 0;
  for (const hw::Operation& operation : workload.operations) sum += operation.flops;
  return sum;
}

constexpr double weights = 6 * 12 * 64 * 64;
constexpr double layer_flops = 24.0 * 32 * 64 * 64 + 4.0 * 32 * 32 * 64;

TEST(Training, SendsWhatTheStrategyAsksFor) {
  const TrainingPattern pattern = transformer(2, 3, 2);
  const hw::Workload workload = generate_training(pattern);
  EXPECT_EQ(workload.npus, 12u);
  EXPECT_TRUE(check(workload).empty());
  // Two all-reduces of the activations a layer in forward, two in backward, for every microbatch (FRED
  // sec. 8.2).
  const std::uint64_t activations = 2 * 32 * 64 * 2;
  for (const auto& [npu, bytes] : bytes_by_npu(workload, T::all_reduce, hw::TrafficClass::mp))
    EXPECT_EQ(bytes, 2 * (6 / 3) * 4 * 4 * activations) << npu;
  // Each NPU's part of the FP16 gradients, once an iteration.
  for (const auto& [npu, bytes] : bytes_by_npu(workload, T::all_reduce, hw::TrafficClass::dp))
    EXPECT_EQ(bytes, 2 * 2 * weights / 2 / 3) << npu;
  // To the next stage and back, for every microbatch, to both MP peers at once.
  const auto handed = bytes_by_npu(workload, T::broadcast, hw::TrafficClass::pp);
  EXPECT_EQ(handed.at(0), 2 * 4 * 2 * activations);  // sends forward, and gets the gradient back
  EXPECT_EQ(handed.at(1), 2 * 4 * activations);      // gets the gradient, too
  EXPECT_EQ(handed.at(2), 2 * 4 * 4 * activations);  // the middle stage
  // Forward once, backward twice; half of the chips' time.
  EXPECT_NEAR(flops(workload), 2 * 3 * 6 * layer_flops * 8 * 2 / 0.5, 1e-6 * flops(workload));
}

TEST(Training, RecomputesWhatItDoesNotKeep) {
  TrainingPattern pattern = transformer(1, 1, 2);
  pattern.model.layers = transformer_layers(6, 64, 32, true);
  EXPECT_NEAR(flops(generate_training(pattern)), 2 * 4 * 6 * layer_flops * 8 * 2 / 0.5, 1e3);
  EXPECT_EQ(memory_of(pattern).activations, 2u * 6 * 32 * 64 * 8);
}

TEST(Training, ShardsGradientsWithZero) {
  TrainingPattern pattern = transformer(1, 2, 4);
  pattern.zero2 = true;
  const hw::Workload workload = generate_training(pattern);
  EXPECT_TRUE(bytes_by_npu(workload, T::all_reduce, hw::TrafficClass::dp).empty());
  for (const auto& [npu, bytes] : bytes_by_npu(workload, T::reduce_scatter, hw::TrafficClass::dp))
    EXPECT_EQ(bytes, 2 * 2 * weights / 2);
  for (const auto& [npu, bytes] : bytes_by_npu(workload, T::all_gather, hw::TrafficClass::dp))
    EXPECT_EQ(bytes, 2 * 2 * weights / 2 / 4);
  const hw::MemoryNeed need = memory_of(pattern);
  EXPECT_EQ(need.weights, 2 * weights / 2);
  EXPECT_EQ(need.gradients, 2 * weights / 2 / 4);
  EXPECT_EQ(need.optimizer, 12 * weights / 2 / 4);
}

/// The longest chain of dependencies before an operation.
std::vector<std::size_t> depths(const hw::Workload& workload) {
  std::vector<std::size_t> depth(workload.operations.size());
  for (std::size_t o = 0; o < depth.size(); ++o) {
    for (const hw::OperationId before : workload.operations[o].after)
      depth[o] = std::max(depth[o], depth[before.value] + 1);
  }
  return depth;
}

TEST(Training, OverlapsGradientsWithTheBackwardPassUnlessToldNotTo) {
  TrainingPattern pattern = transformer(1, 1, 2);
  pattern.iterations = 1;
  for (const bool overlap : {true, false}) {
    pattern.overlap = overlap;
    const hw::Workload workload = generate_training(pattern);
    const std::vector<std::size_t> depth = depths(workload);
    std::set<std::size_t> starts;
    for (std::size_t o = 0; o < depth.size(); ++o) {
      if (workload.operations[o].type == T::all_reduce) starts.insert(depth[o]);
    }
    EXPECT_EQ(starts.size(), overlap ? 6u : 1u);
  }
  pattern.bucket = static_cast<std::uint64_t>(2 * weights / 6 * 2);
  std::size_t sums = 0;
  for (const hw::Operation& operation : generate_training(pattern).operations)
    sums += operation.type == T::all_reduce;
  EXPECT_EQ(sums, 3u) << "two layers a bucket";
}

TEST(Training, StreamsWeightsTwiceAndGradientsOnce) {
  TrainingPattern pattern = transformer(2, 2, 3);
  pattern.mode = TrainingMode::streaming;
  pattern.model.input_bytes = 100;
  const hw::Workload workload = generate_training(pattern);
  EXPECT_TRUE(check(workload).empty());
  std::map<std::string, std::uint64_t> bytes;
  std::map<std::string, std::uint64_t> count;
  for (const hw::Operation& operation : workload.operations) {
    const std::string kind = std::string(hw::to_string(operation.type)) + operation.mode;
    bytes[kind] += operation.bytes;
    ++count[kind];
    if (operation.mode == "broadcast") {
      EXPECT_EQ(operation.npus.size(), 3u) << "the replicas";
    }
  }
  EXPECT_EQ(bytes["loadbroadcast"], 2 * 2 * 2 * weights);
  EXPECT_EQ(bytes["storebroadcast"], 2 * 2 * weights);
  EXPECT_EQ(count["storebroadcast"], 2u * 6 * 2);
  EXPECT_EQ(bytes["loadshard"], 2u * 2 * 100 * 8 * 3);
  EXPECT_EQ(count["all_reduce"], 2u * 4 * 6 * 4 * 3) << "of MP peers only";
  const hw::MemoryNeed need = memory_of(pattern);
  EXPECT_EQ(need.weights, 2 * 2 * weights / 6 / 2);
  EXPECT_EQ(need.optimizer, 0u);
}

// A load takes the place of the layer before the last: it waits for that layer's last compute.
TEST(Training, HasRoomForTwoStreamedLayers) {
  TrainingPattern pattern = transformer(1, 1, 2);
  pattern.mode = TrainingMode::streaming;
  pattern.iterations = 1;
  const hw::Workload workload = generate_training(pattern);
  std::map<std::string, hw::OperationId> by_id;
  for (std::uint32_t o = 0; o < workload.operations.size(); ++o)
    by_id.emplace(workload.operations[o].id, hw::OperationId(o));
  const auto after = [&](const std::string& id) {
    std::set<std::string> ids;
    for (const hw::OperationId o : workload.operations[by_id.at(id).value].after)
      ids.insert(workload.operations[o.value].id);
    return ids;
  };
  EXPECT_TRUE(after("0f.load0.0").empty());
  EXPECT_TRUE(after("0f.load1.0").empty());
  EXPECT_EQ(after("0f.load2.0"), (std::set<std::string>{"0f3.0.0", "0f3.0.1"}));
  EXPECT_EQ(after("0b.load5.0"), (std::set<std::string>{"0f3.4.0", "0f3.4.1"}));
}

TEST(Training, WorkersAreWhereThePlacementSays) {
  TrainingPattern pattern = transformer(2, 1, 2);
  pattern.placement = {3, 5, 0, 9};
  const hw::Workload workload = generate_training(pattern);
  EXPECT_EQ(workload.npus, 10u);
  std::set<std::vector<std::uint32_t>> groups;
  for (const hw::Operation& operation : workload.operations) {
    if (operation.type != T::all_reduce) continue;
    std::vector<std::uint32_t> members;
    for (const hw::NpuId npu : operation.npus) members.push_back(npu.value);
    groups.insert(members);
  }
  EXPECT_EQ(groups, (std::set<std::vector<std::uint32_t>>{{3, 5}, {0, 9}, {3, 0}, {5, 9}}));
}

TEST(Training, RefusesWhatMakesNoTraining) {
  const auto refused = [](const TrainingPattern& pattern, const std::string& part) {
    try {
      generate_training(pattern);
      ADD_FAILURE() << part;
    } catch (const hw::InputError& error) {
      EXPECT_NE(std::string(error.what()).find(part), std::string::npos) << error.what();
    }
  };
  TrainingPattern pattern = transformer(1, 1, 2);
  pattern.microbatches = 3;
  refused(pattern, "8 samples of a replica cannot be cut into 3 microbatches");
  refused(transformer(1, 7, 1), "needs as many layers or more");
  refused(transformer(0, 1, 1), "each must be at least 1");
  pattern = transformer(1, 1, 2);
  pattern.efficiency = 0;
  refused(pattern, "efficiency");
  pattern = transformer(1, 1, 2);
  pattern.placement = {1, 1};
  refused(pattern, "lists 2 different NPUs");
  pattern = transformer(1, 1, 2);
  pattern.mode = TrainingMode::streaming;
  pattern.zero2 = true;
  refused(pattern, "belong to mode stationary");
}

}  // namespace
}  // namespace fredsim::trace
