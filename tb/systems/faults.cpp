#include "tb/systems/faults.h"

#include <fmt/format.h>

#include <algorithm>

#include "hw/core/error.h"
#include "hw/core/nearest.h"
#include "tb/configuration/value_text.h"
#include "tb/plan/expected_traffic.h"
#include "tb/systems/plan_options.h"

namespace fredsim::tb {
namespace {

using Kind = FaultEntry::Kind;

std::vector<hw::LinkFaultPlan::Single> last_packets(const FaultEntry& entry, const hw::PacketFormat& format,
                                                    const hw::Workload& workload, const Plan& plan) {
  std::vector<hw::LinkFaultPlan::Single> singles;
  std::vector<std::string> known;
  for (const hw::Operation& operation : workload.operations) known.push_back(operation.id);
  for (std::uint32_t f = 0; f < plan.flows.size(); ++f) {
    const std::string name = flow_name(workload, plan, hw::FlowId{f});
    const std::string& operation = workload.operations[plan.flows[f].operation.value].id;
    if (entry.flow != name && entry.flow != operation) {
      known.push_back(name);
      continue;
    }
    const std::uint64_t packets = packets_of(plan.flows[f], format);
    if (packets > 0) singles.push_back({hw::FlowId{f}, packets - 1});
  }
  if (!singles.empty()) return singles;
  throw hw::InputError(fmt::format(
      "{}: faults.script: last_of: {} is no operation of {} that sends packets, nor a flow of one{}; flows "
      "are named as in the results: dp0/0, or dp0/0/1 for a stripe",
      entry.place, in_quotes(entry.flow), workload.source, hw::did_you_mean(entry.flow, known)));
}

}  // namespace

std::string flow_name(const hw::Workload& workload, const Plan& plan, hw::FlowId id) {
  const hw::Flow& flow = plan.flows[id.value];
  std::string name = fmt::format("{}/{}", workload.operations[flow.operation.value].id, flow.part);
  if (flow.stripes > 1) name += fmt::format("/{}", flow.stripe);
  return name;
}

Faults make_faults(const Configuration& configuration, const hw::Workload& workload, const Plan& plan) {
  Faults faults;
  faults.bit_error_rate = configuration.faults.bit_error_rate;
  faults.seed = configuration.seed;
  const hw::PacketFormat format = plan_options(configuration).packet;
  for (const FaultEntry& entry : configuration.faults.script) {
    if (entry.link.empty()) {
      faults.outages[hw::NpuId{entry.npu}].push_back({entry.from, entry.until});
      continue;
    }
    hw::LinkFaultPlan& link = faults.links[entry.link];
    for (const FaultEntry::Range& range : entry.ranges) {
      auto& ranges = entry.kind == Kind::packets ? link.packets
                     : entry.kind == Kind::acks  ? link.acks
                                                 : link.nacks;
      ranges.push_back({range.first, range.last});
    }
    if (entry.kind == Kind::last_of) {
      const auto singles = last_packets(entry, format, workload, plan);
      link.singles.insert(link.singles.end(), singles.begin(), singles.end());
    }
    if (entry.kind == Kind::down) link.down.push_back({entry.from, entry.until});
  }
  for (auto& [npu, outages] : faults.outages) {
    std::sort(outages.begin(), outages.end(),
              [](const accel::Outage& a, const accel::Outage& b) { return a.from < b.from; });
  }
  return faults;
}

}  // namespace fredsim::tb
