#include <fmt/format.h>

#include <array>

#include "hw/core/error.h"
#include "traces/format/check.h"
#include "traces/format/match.h"
#include "traces/generate/generate.h"

namespace fredsim::trace {
namespace {

struct Dimension {
  hw::TrafficClass traffic_class;
  std::uint32_t size;
  std::uint32_t stride;  ///< between peers
  std::uint64_t bytes;
};

/// Peers of one dimension, one group for each way to choose the others.
std::vector<hw::Group> groups_of(const Dimension& dimension, std::uint32_t npus) {
  std::vector<hw::Group> groups;
  for (std::uint32_t first = 0; first < npus; ++first) {
    if (first / dimension.stride % dimension.size != 0) continue;
    hw::Group group;
    for (std::uint32_t i = 0; i < dimension.size; ++i) group.emplace_back(first + i * dimension.stride);
    groups.push_back(std::move(group));
  }
  return groups;
}

}  // namespace

hw::Workload generate_groups(const GroupsPattern& pattern) {
  const std::uint64_t npus = std::uint64_t{pattern.mp} * pattern.pp;
  if (pattern.mp < 1 || pattern.pp < 1 || pattern.dp < 1 || npus > max_npus || npus * pattern.dp > max_npus) {
    throw hw::InputError(
        fmt::format("MP({})-PP({})-DP({}): each must be at least 1, and all together at most {} NPUs",
                    pattern.mp, pattern.pp, pattern.dp, max_npus));
  }
  const std::array<Dimension, 3> dimensions = {{
      {hw::TrafficClass::mp, pattern.mp, 1, pattern.mp_bytes},
      {hw::TrafficClass::pp, pattern.pp, pattern.mp, pattern.pp_bytes},
      {hw::TrafficClass::dp, pattern.dp, pattern.mp * pattern.pp, pattern.dp_bytes},
  }};
  for (const Dimension& dimension : dimensions) {
    if (dimension.bytes != 0 && dimension.size == 1) {
      throw hw::InputError(fmt::format("the {} groups have one member each, so they have nothing to send",
                                       hw::to_string(dimension.traffic_class)));
    }
  }

  hw::Workload workload;
  workload.npus = static_cast<std::uint32_t>(npus * pattern.dp);
  workload.name = pattern.name.empty()
                      ? fmt::format("MP({})-PP({})-DP({})", pattern.mp, pattern.pp, pattern.dp)
                      : pattern.name;
  workload.source = "generated";
  std::array<std::vector<hw::OperationId>, 3> last;
  for (std::uint32_t round = 0; round < pattern.count; ++round) {
    for (std::size_t d = 0; d < dimensions.size(); ++d) {
      if (dimensions[d].bytes == 0) continue;
      const std::vector<hw::Group> groups = groups_of(dimensions[d], workload.npus);
      for (std::size_t g = 0; g < groups.size(); ++g) {
        hw::Operation operation;
        operation.id = fmt::format("{}{}.{}", hw::to_string(dimensions[d].traffic_class), round, g);
        operation.type = hw::OperationType::all_reduce;
        operation.npus = groups[g];
        operation.bytes = dimensions[d].bytes;
        operation.traffic_class = dimensions[d].traffic_class;
        operation.dtype = pattern.dtype;
        const hw::OperationId id(static_cast<std::uint32_t>(workload.operations.size()));
        if (round == 0) {
          last[d].push_back(id);
        } else {
          operation.after.push_back(last[d][g]);
          last[d][g] = id;
        }
        workload.operations.push_back(std::move(operation));
      }
    }
  }
  refuse(check(workload));
  return workload;
}

hw::Workload generate_pipeline(const PipelinePattern& pattern) {
  if (pattern.stages < 2 || pattern.stages > max_npus) {
    throw hw::InputError(fmt::format("a pipeline has 2 to {} stages, this {}", max_npus, pattern.stages));
  }
  if (pattern.microbatches < 1) throw hw::InputError("a pipeline needs at least one microbatch");

  hw::Workload workload;
  workload.npus = pattern.stages;
  workload.name = pattern.name.empty() ? fmt::format("pipeline of {} stages, {} microbatches", pattern.stages,
                                                     pattern.microbatches)
                                       : pattern.name;
  workload.source = "generated";
  const auto add = [&](std::string id, hw::OperationType type, std::uint32_t npu) -> hw::Operation& {
    hw::Operation operation;
    operation.id = std::move(id);
    operation.type = type;
    operation.npus = {hw::NpuId(npu)};
    workload.operations.push_back(std::move(operation));
    return workload.operations.back();
  };
  const auto newest = [&] {
    return hw::OperationId(static_cast<std::uint32_t>(workload.operations.size() - 1));
  };

  // One direction: f (stage s to s + 1) or b (s to s - 1). `before` is what the first stage waits for.
  std::int64_t tag = 0;
  const auto pass = [&](char direction, std::uint32_t batch, std::optional<hw::OperationId> before) {
    std::optional<hw::OperationId> input = before;
    for (std::uint32_t i = 0; i < pattern.stages; ++i) {
      const std::uint32_t stage = direction == 'f' ? i : pattern.stages - 1 - i;
      const auto name = [&](const char* what) {
        return fmt::format("{}{}.{}{}", direction, batch, what, stage);
      };
      if (i != 0) {
        hw::Operation& recv = add(name("recv"), hw::OperationType::recv, stage);
        recv.peer = hw::NpuId(direction == 'f' ? stage - 1 : stage + 1);
        recv.bytes = pattern.bytes;
        recv.tag = tag;
        recv.traffic_class = hw::TrafficClass::pp;
        input = newest();
      }
      hw::Operation& compute = add(name("compute"), hw::OperationType::compute, stage);
      compute.duration = pattern.compute;
      if (input) compute.after = {*input};
      const hw::OperationId computed = newest();
      if (i + 1 == pattern.stages) return computed;
      hw::Operation& send = add(name("send"), hw::OperationType::send, stage);
      send.peer = hw::NpuId(direction == 'f' ? stage + 1 : stage - 1);
      send.bytes = pattern.bytes;
      send.tag = tag;
      send.traffic_class = hw::TrafficClass::pp;
      send.after = {computed};
    }
    return newest();
  };
  std::vector<hw::OperationId> ends;
  for (std::uint32_t batch = 0; batch < pattern.microbatches; ++batch, ++tag) {
    ends.push_back(pass('f', batch, std::nullopt));
  }
  for (std::uint32_t batch = 0; pattern.backward && batch < pattern.microbatches; ++batch, ++tag) {
    pass('b', batch, ends[batch]);
  }
  set_partners(workload);
  refuse(check(workload));
  return workload;
}

}  // namespace fredsim::trace
