#include "tb/systems/waiting.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace fredsim::tb {
namespace {

/// Flows that each NPU still has packets of to send.
using Unsent = std::vector<std::set<hw::FlowId>>;

std::string npu_list(const std::vector<hw::NpuId>& npus) {
  std::string text = npus.size() == 1 ? "NPU" : "NPUs";
  for (std::size_t i = 0; i < npus.size(); ++i)
    text += fmt::format("{}{}", i == 0 ? " " : ", ", npus[i].value);
  return text;
}

std::string what_arrives(const std::vector<hw::FlowId>& receiving, hw::NpuId self, const Plan& plan,
                         const Unsent& unsent) {
  std::set<hw::NpuId> missing;
  for (const hw::FlowId flow : receiving) {
    for (const hw::NpuId source : plan.flows[flow.value].sources) {
      if (source != self && unsent[source.value].count(flow) > 0) missing.insert(source);
    }
  }
  if (missing.empty()) return "packets that are sent and have not arrived";
  return "data from " + npu_list({missing.begin(), missing.end()});
}

}  // namespace

std::vector<Waiting> find_waiting(const System& system, const hw::Workload& workload, const Plan& plan) {
  std::vector<std::vector<accel::UnfinishedPart>> parts;
  Unsent unsent;
  for (const auto& npu : system.npus()) {
    parts.push_back(npu->unfinished());
    unsent.emplace_back();
    for (const accel::UnfinishedPart& part : parts.back())
      unsent.back().insert(part.sending.begin(), part.sending.end());
  }
  std::vector<Waiting> result;
  for (std::size_t n = 0; n < parts.size(); ++n) {
    const hw::NpuId npu{static_cast<std::uint32_t>(n)};
    for (const accel::UnfinishedPart& part : parts[n]) {
      std::string reason = part.waits_for;
      if (part.started && !part.receiving.empty()) {
        if (!reason.empty()) reason += "; ";
        reason += what_arrives(part.receiving, npu, plan, unsent);
      }
      if (reason.empty()) reason = part.started ? "the end of what it does" : "a reason it does not give";
      result.push_back({workload.operations[part.operation.value].id, npu, reason});
    }
  }
  std::stable_sort(result.begin(), result.end(), [](const Waiting& a, const Waiting& b) {
    return a.operation != b.operation ? a.operation < b.operation : a.npu < b.npu;
  });
  return result;
}

}  // namespace fredsim::tb
