#include "traces/generate/generate.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>

#include "hw/core/error.h"
#include "tb/tests/traces/trace_text.h"
#include "tb/tests/traces/workloads_equal.h"
#include "traces/format/check.h"
#include "traces/format/summary.h"

namespace fredsim::trace::testing {
namespace {

using hw::NpuId;
using hw::OperationType;

TEST(GenerateCollective, OneOperationASizeAndRound) {
  CollectivePattern pattern;
  pattern.type = OperationType::broadcast;
  pattern.npus = 8;
  pattern.groups = {{NpuId(0), NpuId(2)}, {NpuId(1), NpuId(5), NpuId(7)}};
  pattern.bytes = {0, 7, 4091};
  pattern.count = 2;
  pattern.root = 1;
  pattern.chained = true;
  const hw::Workload workload = generate_collective(pattern);
  ASSERT_EQ(workload.operations.size(), 12u);
  for (std::size_t i = 0; i < 12; ++i) {
    const hw::Operation& operation = workload.operations[i];
    EXPECT_EQ(operation.npus, pattern.groups[i % 2]);
    EXPECT_EQ(operation.root, operation.npus[1]);
    EXPECT_EQ(operation.bytes, pattern.bytes[i / 2 % 3]);
    const auto previous = i < 2 ? std::vector<hw::OperationId>{}
                                : std::vector{hw::OperationId(static_cast<std::uint32_t>(i - 2))};
    EXPECT_EQ(operation.after, previous);
  }
}

TEST(GenerateCollective, WhatMakesNoTraceIsRefused) {
  CollectivePattern pattern;
  pattern.npus = 4;
  pattern.bytes = {8};
  EXPECT_NO_THROW(generate_collective(pattern));
  const auto refused = [&](auto change) {
    CollectivePattern bad = pattern;
    change(bad);
    EXPECT_THROW(generate_collective(bad), hw::InputError);
  };
  refused([](auto& p) { p.npus = 0; });
  refused([](auto& p) { p.npus = max_npus + 1; });
  refused([](auto& p) { p.bytes.clear(); });
  refused([](auto& p) { p.count = 0; });
  refused([](auto& p) { p.root = 0; });
  refused([](auto& p) { p.groups = {{NpuId(4)}}; });
  refused([](auto& p) { p.groups = {{NpuId(1), NpuId(1)}}; });
  refused([](auto& p) { p.groups = {{}}; });
  refused([](auto& p) { p.bytes = {max_bytes + 1}; });
  refused([](auto& p) { p.type = OperationType::barrier; });
  refused([](auto& p) { p.type = OperationType::reduce, p.root = 4; });
  refused([](auto& p) { p.type = OperationType::all_gather, p.op = hw::ReduceOp::max; });
}

TEST(GenerateGroups, FollowThePlacement) {
  GroupsPattern pattern;
  pattern.mp = 2;
  pattern.pp = 2;
  pattern.dp = 5;
  pattern.mp_bytes = 1;
  pattern.pp_bytes = 2;
  pattern.dp_bytes = 3;
  pattern.count = 2;
  const hw::Workload workload = generate_groups(pattern);
  EXPECT_EQ(workload.npus, 20u);
  std::map<hw::TrafficClass, std::set<std::vector<std::uint32_t>>> groups;
  for (const hw::Operation& operation : workload.operations) {
    std::vector<std::uint32_t> members;
    for (const NpuId npu : operation.npus) members.push_back(npu.value);
    groups[operation.traffic_class].insert(members);
    EXPECT_EQ(operation.bytes, 1 + static_cast<std::uint64_t>(operation.traffic_class));
  }
  std::map<hw::TrafficClass, std::set<std::vector<std::uint32_t>>> expected;
  for (std::uint32_t p = 0; p < 2; ++p) {
    for (std::uint32_t d = 0; d < 5; ++d) {
      expected[hw::TrafficClass::mp].insert({0 + 2 * (p + 2 * d), 1 + 2 * (p + 2 * d)});
    }
  }
  for (std::uint32_t m = 0; m < 2; ++m) {
    for (std::uint32_t d = 0; d < 5; ++d) expected[hw::TrafficClass::pp].insert({m + 4 * d, m + 2 + 4 * d});
    for (std::uint32_t p = 0; p < 2; ++p) {
      std::vector<std::uint32_t> members;
      for (std::uint32_t d = 0; d < 5; ++d) members.push_back(m + 2 * (p + 2 * d));
      expected[hw::TrafficClass::dp].insert(members);
    }
  }
  EXPECT_EQ(groups, expected);
  EXPECT_EQ(workload.operations.size(), 2 * (10u + 10u + 4u));
  EXPECT_EQ(summarize(workload).depth, 2u);
}

TEST(GenerateGroups, WhatMakesNoTraceIsRefused) {
  GroupsPattern silent;
  silent.mp = 2;
  EXPECT_THROW(generate_groups(silent), hw::InputError);
  GroupsPattern alone;
  alone.mp = 2, alone.dp_bytes = 4;
  EXPECT_THROW(generate_groups(alone), hw::InputError);
  GroupsPattern huge;
  huge.mp = huge.pp = huge.dp = 4'000'000'000;
  huge.mp_bytes = 1;
  EXPECT_THROW(generate_groups(huge), hw::InputError);
  huge.mp = 0;
  EXPECT_THROW(generate_groups(huge), hw::InputError);
}

TEST(GeneratePipeline, EveryBatchPassesEveryStage) {
  PipelinePattern pattern;
  pattern.stages = 4;
  pattern.microbatches = 3;
  pattern.bytes = 64;
  pattern.compute = hw::Time::fs(5);
  const Summary forward = summarize(generate_pipeline(pattern));
  EXPECT_EQ(forward.by_type.at(OperationType::compute).operations, 12u);
  EXPECT_EQ(forward.by_type.at(OperationType::send).operations, 9u);
  EXPECT_EQ(forward.by_class[index(hw::TrafficClass::pp)].bytes, 2 * 9 * 64u);
  EXPECT_EQ(forward.depth, 4u + 2 * 3);  // compute, then send and receive between stages
  pattern.backward = true;
  const Summary both = summarize(generate_pipeline(pattern));
  EXPECT_EQ(both.by_type.at(OperationType::compute).operations, 24u);
  EXPECT_EQ(both.depth, 2 * (4u + 2 * 3));
  pattern.stages = 1;
  EXPECT_THROW(generate_pipeline(pattern), hw::InputError);
}

/// Runs the operations one after the other in file order: everything each waits for must have come before.
void expect_runs_in_file_order(const hw::Workload& workload) {
  for (std::uint32_t i = 0; i < workload.operations.size(); ++i) {
    const hw::Operation& operation = workload.operations[i];
    for (const auto* list : {&operation.after, &operation.after_all}) {
      for (const hw::OperationId id : *list) EXPECT_LT(id.value, i);
    }
    if (operation.type == OperationType::recv) {
      ASSERT_TRUE(operation.partner);
      EXPECT_LT(operation.partner->value, i);
    }
  }
}

TEST(GenerateRandom, TwoHundredSeedsAreValidAndCoverEverything) {
  std::map<OperationType, int> types;
  std::set<std::size_t> group_sizes;
  bool zero = false, largest_half = false, after = false, after_all = false;
  std::set<hw::TrafficClass> classes;
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    SCOPED_TRACE(seed);
    RandomPattern pattern;
    pattern.seed = seed;
    pattern.npus = static_cast<std::uint32_t>(1 + seed % 20);
    pattern.io = seed % 2 == 0;
    const hw::Workload workload = generate_random(pattern);
    EXPECT_EQ(workload.operations.size(), pattern.operations);
    EXPECT_EQ(text_of(check(workload, pattern.npus)), "");
    expect_runs_in_file_order(workload);
    for (const hw::Operation& operation : workload.operations) {
      ++types[operation.type];
      group_sizes.insert(operation.npus.size());
      classes.insert(operation.traffic_class);
      zero |= operation.type == OperationType::all_reduce && operation.bytes == 0;
      largest_half |= operation.bytes > pattern.max_bytes / 2;
      after |= !operation.after.empty();
      after_all |= !operation.after_all.empty();
      if (!pattern.io) {
        EXPECT_NE(operation.type, OperationType::load);
        EXPECT_NE(operation.type, OperationType::store);
      }
    }
  }
  EXPECT_EQ(types.size(), hw::operation_type_names().size());
  EXPECT_EQ(group_sizes.size(), 20u);
  EXPECT_EQ(classes.size(), 3u);
  EXPECT_TRUE(zero && largest_half && after && after_all);
}

TEST(GenerateRandom, TheSeedDecidesEverything) {
  RandomPattern pattern;
  const std::string text = write_text(generate_random(pattern));
  EXPECT_EQ(write_text(generate_random(pattern)), text);
  pattern.seed = 2;
  EXPECT_NE(write_text(generate_random(pattern)), text);
  // The same with every compiler and library: FNV-1a of the trace of seed 1.
  std::uint64_t hash = 14695981039346656037u;
  for (const unsigned char c : text) hash = (hash ^ c) * 1099511628211u;
  EXPECT_EQ(hash, 4415724262314645252u);
}

}  // namespace
}  // namespace fredsim::trace::testing
