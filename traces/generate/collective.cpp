#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "hw/core/error.h"
#include "traces/format/check.h"
#include "traces/format/keys.h"
#include "traces/generate/generate.h"

namespace fredsim::trace {

hw::Workload generate_collective(const CollectivePattern& pattern) {
  const auto takes = [&](const char* key) { return need(pattern.type, key) != Need::not_taken; };
  if (pattern.npus < 1 || pattern.npus > max_npus) {
    throw hw::InputError(fmt::format("npus is {}, allowed are 1 to {}", pattern.npus, max_npus));
  }
  if (takes("bytes") == pattern.bytes.empty()) {
    throw hw::InputError(fmt::format("{} takes {}", hw::to_string(pattern.type),
                                     takes("bytes") ? "one size in bytes or more" : "no size in bytes"));
  }
  if (pattern.root && !takes("root")) {
    throw hw::InputError(fmt::format("{} takes no root", hw::to_string(pattern.type)));
  }
  if (pattern.op != hw::ReduceOp::sum && !takes("op")) {
    throw hw::InputError(fmt::format("{} takes no op: it reduces nothing", hw::to_string(pattern.type)));
  }
  if (pattern.dtype && !takes("dtype")) {
    throw hw::InputError(fmt::format("{} takes no dtype", hw::to_string(pattern.type)));
  }

  std::vector<hw::Group> groups = pattern.groups;
  if (groups.empty()) {
    groups.emplace_back();
    for (std::uint32_t npu = 0; npu < pattern.npus; ++npu) groups.back().emplace_back(npu);
  }
  const std::uint32_t root = pattern.root.value_or(0);
  for (const hw::Group& group : groups) {
    if (takes("root") && root >= group.size()) {
      throw hw::InputError(fmt::format("root is rank {}, a group has {} members", root, group.size()));
    }
  }
  const std::vector<std::uint64_t> sizes = takes("bytes") ? pattern.bytes : std::vector<std::uint64_t>{0};

  hw::Workload workload;
  workload.npus = pattern.npus;
  workload.name = pattern.name.empty()
                      ? fmt::format("{} on {} NPUs", hw::to_string(pattern.type), pattern.npus)
                      : pattern.name;
  workload.source = "generated";
  std::vector<std::optional<hw::OperationId>> last(groups.size());
  std::uint32_t round = 0;
  for (std::uint32_t repeat = 0; repeat < pattern.count; ++repeat) {
    for (const std::uint64_t bytes : sizes) {
      for (std::size_t g = 0; g < groups.size(); ++g) {
        hw::Operation operation;
        operation.id = groups.size() == 1 ? fmt::format("{}{}", hw::to_string(pattern.type), round)
                                          : fmt::format("{}{}.{}", hw::to_string(pattern.type), round, g);
        operation.type = pattern.type;
        operation.npus = groups[g];
        operation.bytes = bytes;
        operation.traffic_class = pattern.traffic_class;
        operation.op = pattern.op;
        operation.dtype = pattern.dtype;
        if (takes("root")) operation.root = groups[g][root];
        if (pattern.chained && last[g]) operation.after.push_back(*last[g]);
        last[g] = hw::OperationId(static_cast<std::uint32_t>(workload.operations.size()));
        workload.operations.push_back(std::move(operation));
      }
      ++round;
    }
  }
  refuse(check(workload));
  return workload;
}

}  // namespace fredsim::trace
