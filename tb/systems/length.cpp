#include "tb/systems/length.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "hw/core/error.h"

namespace fredsim::tb {
namespace {

const double longest = hw::Time::max().seconds();

void check_npus(const hw::Workload& workload, const Plan& plan, hw::Bandwidth bandwidth) {
  for (std::size_t n = 0; n < plan.programs.size(); ++n) {
    double computing = 0, sent_bytes = 0;
    for (const accel::Part& part : plan.programs[n].parts) {
      computing += part.duration.seconds();
      for (const accel::SendStream& send : part.sends) sent_bytes += static_cast<double>(send.bytes);
    }
    const double sending = sent_bytes / bandwidth.bytes_per_second();
    if (computing < longest && sending < longest) continue;
    throw hw::InputError(fmt::format(
        "{}: what NPU {} {} takes at least {:.4g} s; {:.4g} s is the longest simulated time", workload.source,
        n, computing < longest ? "sends" : "computes", computing < longest ? sending : computing, longest));
  }
}

/// Whether every member's part ends only when another's data, or its barrier packet, has come.
bool all_wait_for_another(const hw::Operation& operation) {
  if (operation.npus.size() < 2) return false;
  switch (operation.type) {
    case hw::OperationType::all_reduce:
    case hw::OperationType::reduce_scatter:
    case hw::OperationType::all_gather:
    case hw::OperationType::all_to_all:
      // With fewer elements than members a shard can be empty.
      return operation.bytes / hw::size_of(hw::DType::fp32) >= operation.npus.size();
    case hw::OperationType::barrier:
      return true;
    default:
      return false;
  }
}

/// Lower bounds of the first end of every operation's parts, along what it waits for.
void check_dependencies(const hw::Workload& workload, const Plan& plan, hw::Time latency) {
  std::vector<double> start(workload.operations.size(), 0), end(workload.operations.size(), 0);
  std::vector<double> at_npu(plan.programs.size(), 0);
  for (const hw::OperationId id : plan.order) {
    const hw::Operation& operation = workload.operations[id.value];
    double& begin = start[id.value];
    // A part waits for the parts at its own NPU, so a member that waits for none may start at once.
    for (const hw::OperationId before : operation.after) {
      for (const hw::NpuId npu : workload.operations[before.value].npus) {
        at_npu[npu.value] = std::max(at_npu[npu.value], end[before.value]);
      }
    }
    for (std::size_t i = 0; i < operation.npus.size(); ++i) {
      const double at_member = at_npu[operation.npus[i].value];
      begin = i == 0 ? at_member : std::min(begin, at_member);
    }
    for (const hw::OperationId before : operation.after) {
      for (const hw::NpuId npu : workload.operations[before.value].npus) at_npu[npu.value] = 0;
    }
    for (const hw::OperationId before : operation.after_all) begin = std::max(begin, end[before.value]);
    end[id.value] = begin + operation.duration.seconds();
    if (all_wait_for_another(operation)) end[id.value] += 2 * latency.seconds();
    if (operation.type == hw::OperationType::recv && operation.partner && operation.bytes > 0) {
      end[id.value] = std::max(begin, start[operation.partner->value] + 2 * latency.seconds());
    }
    if (end[id.value] < longest) continue;
    throw hw::InputError(fmt::format(
        "{}:{}: operation \"{}\" cannot end before {:.4g} s, with what it waits for and links of {} latency; "
        "{:.4g} s is the longest simulated time",
        workload.source, operation.line, operation.id, end[id.value], hw::to_string(latency), longest));
  }
}

}  // namespace

void check_length(const hw::Workload& workload, const Plan& plan, const LinkConfiguration& npu_link) {
  check_npus(workload, plan, npu_link.bandwidth);
  check_dependencies(workload, plan, npu_link.latency);
}

}  // namespace fredsim::tb
