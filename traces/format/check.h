#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "hw/core/records.h"
#include "traces/format/problem.h"

namespace fredsim::trace {

/// Most bytes of an operation, and most NPUs of a trace. Large enough for any machine, small enough that sums
/// of a few cannot overflow and tables by NPU stay small.
constexpr std::uint64_t max_bytes = std::uint64_t{1} << 62;
constexpr std::uint32_t max_npus = std::uint32_t{1} << 20;
constexpr double max_flops = 1e24;

/// Every reason why `workload` cannot run, by line and then by operation: NPUs outside the trace or the
/// system, malformed groups, roots, sends and receives that do not match, dependencies on nothing or without
/// a common NPU, cycles. `system_npus`: the size of the system it is to run on, if known. `whole` is false
/// where some operations are known to be missing: then sends are not held against receives. Linear in the
/// length of the trace.
std::vector<Problem> check(const hw::Workload& workload,
                           std::optional<std::uint32_t> system_npus = std::nullopt, bool whole = true);

}  // namespace fredsim::trace
