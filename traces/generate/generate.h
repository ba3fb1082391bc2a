#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "hw/core/records.h"

namespace fredsim::trace {

/// One collective, many times: for each of `count` rounds and each size, every group issues it.
struct CollectivePattern {
  hw::OperationType type = hw::OperationType::all_reduce;  ///< a collective or barrier
  std::uint32_t npus = 0;
  std::vector<hw::Group> groups;     ///< none: one group of all NPUs
  std::vector<std::uint64_t> bytes;  ///< one or more (none for a barrier)
  std::uint32_t count = 1;
  bool chained = false;               ///< a group's next one waits for its last
  std::optional<std::uint32_t> root;  ///< rank within the group, default 0; rooted types only
  hw::TrafficClass traffic_class = hw::TrafficClass::dp;
  hw::ReduceOp op = hw::ReduceOp::sum;
  std::optional<hw::DType> dtype;
  std::string name;  ///< of the workload; empty: made from the pattern
};
hw::Workload generate_collective(const CollectivePattern& pattern);

/// The groups of a 3D-parallel placement, MP peers on consecutive NPUs, then PP, then DP (FRED sec. 5.3): NPU
/// = m + MP (p + PP d). In every dimension larger than 1 that has bytes, all its groups issue an all-reduce
/// at once, in that dimension's traffic class.
struct GroupsPattern {
  std::uint32_t mp = 1, pp = 1, dp = 1;
  std::uint64_t mp_bytes = 0, pp_bytes = 0, dp_bytes = 0;  ///< 0: the dimension is silent
  std::uint32_t count = 1;                                 ///< rounds; a group's next one waits for its last
  std::optional<hw::DType> dtype;
  std::string name;
};
hw::Workload generate_groups(const GroupsPattern& pattern);

/// A pipeline of one stage an NPU: each microbatch is computed and then sent to the next stage, forward and,
/// if asked, backward again. Class PP.
struct PipelinePattern {
  std::uint32_t stages = 2;
  std::uint32_t microbatches = 1;
  std::uint64_t bytes = 0;
  hw::Time compute;
  bool backward = false;
  std::string name;
};
hw::Workload generate_pipeline(const PipelinePattern& pattern);

/// Everything at random, the same for the same seed everywhere: every type that needs no I/O controller,
/// groups of any size, sizes from 0, computes, dependencies of both kinds on earlier operations only, so it
/// cannot hang.
struct RandomPattern {
  std::uint64_t seed = 1;
  std::uint32_t npus = 8;
  std::uint32_t operations = 50;
  std::uint64_t max_bytes = 64 * 1024;
  bool io = false;  ///< loads and stores too
  std::string name;
};
hw::Workload generate_random(const RandomPattern& pattern);

/// hw::InputError for patterns that make no trace (no NPUs, a group with an NPU outside, nothing to send,
/// ...).

}  // namespace fredsim::trace
