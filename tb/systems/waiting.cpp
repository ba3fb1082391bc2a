#include "tb/systems/waiting.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <set>

#include "tb/systems/faults.h"

namespace fredsim::tb {
namespace {

/// Who a flow waits for.
struct Missing {
  std::size_t npus = 0;
  std::vector<std::set<hw::FlowId>> unsent;   ///< by end: flows it still has packets of to send
  std::map<hw::FlowId, std::string> at_link;  ///< flows with packets held by a link that was given up
  /// NPUs whose packet others await at a switch; by the first stripe of what they await.
  std::map<hw::FlowId, std::set<hw::NpuId>> at_switch;
  /// Switches where a packet is ready while another route set is served; likewise.
  std::map<hw::FlowId, std::set<std::string>> kept_waiting;
};

hw::FlowId first_stripe(hw::FlowId flow, const Plan& plan) {
  return hw::FlowId(flow.value - plan.flows[flow.value].stripe);
}

/// NPUs, and I/O controllers, which are numbered behind them.
std::string list_ends(const std::set<hw::NpuId>& ends, std::size_t npus) {
  std::vector<std::uint32_t> numbers, controllers;
  for (const hw::NpuId end : ends) {
    if (end.value < npus) {
      numbers.push_back(end.value);
    } else {
      controllers.push_back(end.value - static_cast<std::uint32_t>(npus));
    }
  }
  std::vector<std::string> parts;
  if (!numbers.empty())
    parts.push_back(fmt::format("NPU{} {}", numbers.size() == 1 ? "" : "s", fmt::join(numbers, ", ")));
  if (!controllers.empty()) {
    parts.push_back(
        fmt::format("I/O controller{} {}", controllers.size() == 1 ? "" : "s", fmt::join(controllers, ", ")));
  }
  return fmt::format("{}", fmt::join(parts, " and "));
}

std::string what_arrives(const std::vector<hw::FlowId>& receiving, hw::NpuId self,
                         const hw::Workload& workload, const Plan& plan, const Missing& missing_of) {
  for (const hw::FlowId flow : receiving) {
    const auto kept = missing_of.kept_waiting.find(first_stripe(flow, plan));
    if (kept == missing_of.kept_waiting.end()) continue;
    return fmt::format("{}, which serves another route set", *kept->second.begin());
  }
  std::set<hw::NpuId> missing;
  for (const hw::FlowId flow : receiving) {
    const auto at_link = missing_of.at_link.find(flow);
    if (at_link != missing_of.at_link.end())
      return fmt::format("packets of flow {}, held by link {}, which was given up",
                         flow_name(workload, plan, flow), at_link->second);
  }
  for (const hw::FlowId flow : receiving) {
    // Where some operands are at a switch, those whose packets have not come hold up all.
    const auto at_switch = missing_of.at_switch.find(first_stripe(flow, plan));
    if (at_switch != missing_of.at_switch.end()) {
      missing.insert(at_switch->second.begin(), at_switch->second.end());
      missing.erase(self);
      continue;
    }
    for (const hw::NpuId source : plan.flows[flow.value].sources) {
      if (source != self && missing_of.unsent[source.value].count(flow) > 0) missing.insert(source);
    }
  }
  if (missing.empty()) {
    return "packets that are sent and have not arrived";
  }
  return "data from " + list_ends(missing, missing_of.npus);
}

/// What others miss because of a dead NPU.
std::string what_it_holds_up(const accel::UnfinishedPart& part, const hw::Workload& workload,
                             const Plan& plan) {
  std::set<hw::FlowId> flows(part.sending.begin(), part.sending.end());
  flows.insert(part.receiving.begin(), part.receiving.end());
  constexpr std::size_t shown = 8;
  std::vector<std::string> names;
  for (const hw::FlowId flow : flows) names.push_back(flow_name(workload, plan, flow));
  if (names.empty()) return "";
  const std::size_t more = names.size() > shown ? names.size() - shown : 0;
  names.resize(names.size() - more);
  return fmt::format("; it holds up {}{}", fmt::join(names, ", "),
                     more > 0 ? fmt::format(" and {} more flows", more) : "");
}

}  // namespace

std::vector<Waiting> find_waiting(const System& system, const sw::Tree* tree, const hw::Workload& workload,
                                  const Plan& plan, Waiting::State state) {
  std::vector<std::vector<accel::UnfinishedPart>> parts;
  Missing missing;
  for (const auto& npu : system.npus()) {
    parts.push_back(npu->unfinished());
    missing.unsent.emplace_back();
    for (const accel::UnfinishedPart& part : parts.back())
      missing.unsent.back().insert(part.sending.begin(), part.sending.end());
  }
  missing.npus = system.npus().size();
  for (const auto& io : system.io_controllers()) {
    missing.unsent.emplace_back();
    for (const accel::UnfinishedPart& part : io->unfinished())
      missing.unsent.back().insert(part.sending.begin(), part.sending.end());
  }
  for (std::size_t s = 0; s < system.switches().size(); ++s) {
    const sw::TreeSwitch& node = tree->switches()[s];
    for (const hw::FlowId flow : system.switches()[s]->kept_waiting()) {
      missing.kept_waiting[first_stripe(flow, plan)].insert(node.name);
    }
    for (const sw::MissingPartners& partners : system.switches()[s]->missing_partners()) {
      const hw::FlowId first = first_stripe(partners.flow, plan);
      std::set<hw::NpuId>& named = missing.at_switch[first];
      for (const hw::PortId port : partners.missing) {
        // Those below the port. Further up, a packet is missing because of one of them whose switch has said
        // so itself (switches of lower levels come first), or else because of those that have more to send.
        std::vector<hw::NpuId> below;
        for (const hw::NpuId source : plan.flows[partners.flow.value].sources) {
          if (tree->subtree_of(source, node.level) == node.subtree &&
              tree->port_towards(node, source) == port)
            below.push_back(source);
        }
        const auto is_named = [&](hw::NpuId npu) { return named.count(npu) > 0; };
        if (std::any_of(below.begin(), below.end(), is_named)) continue;
        for (const hw::NpuId source : below) {
          if (node.level == 1 || missing.unsent[source.value].count(partners.flow) > 0) named.insert(source);
        }
      }
      if (named.empty()) missing.at_switch.erase(first);
    }
  }
  for (const System::Wire& wire : system.wires()) {
    const hw::LinkRetry* retry = wire.link->retry();
    if (!retry || !retry->given_up()) continue;
    for (const hw::FlowId flow : retry->held()) missing.at_link.emplace(flow, wire.link->basename());
  }
  std::vector<Waiting> result;
  for (std::size_t n = 0; n < parts.size(); ++n) {
    const hw::NpuId npu{static_cast<std::uint32_t>(n)};
    for (const accel::UnfinishedPart& part : parts[n]) {
      std::string reason = part.waits_for;
      if (part.dead) {
        reason += what_it_holds_up(part, workload, plan);
      } else if (part.started && !part.receiving.empty()) {
        if (!reason.empty()) reason += "; ";
        reason += what_arrives(part.receiving, npu, workload, plan, missing);
      }
      if (reason.empty()) reason = part.started ? "the end of what it does" : "a reason it does not give";
      result.push_back({workload.operations[part.operation.value].id, npu, reason, state});
    }
  }
  std::stable_sort(result.begin(), result.end(), [](const Waiting& a, const Waiting& b) {
    return a.operation != b.operation ? a.operation < b.operation : a.npu < b.npu;
  });
  return result;
}

void mark_starved(const std::vector<hw::OperationId>& starved, const std::vector<std::string>& names,
                  std::vector<Waiting>& waiting) {
  std::set<std::string> named;
  for (const hw::OperationId operation : starved) named.insert(names[operation.value]);
  for (Waiting& entry : waiting) {
    if (named.count(entry.operation) > 0) entry.state = Waiting::State::starvation;
  }
  std::stable_partition(waiting.begin(), waiting.end(),
                        [](const Waiting& entry) { return entry.state == Waiting::State::starvation; });
}

hw::TimeSum waited_for_turns(const Turns& turns, const System& system, const Plan& plan, hw::Time end) {
  hw::TimeSum waited;
  if (turns.reason != Turns::Reason::routes) return waited;
  for (const auto& fred : system.switches()) {
    if (fred->config().path != turns.place) continue;
    for (std::uint32_t f = 0; f < plan.flows.size(); ++f) {
      const auto& operations = turns.operations;
      if (std::find(operations.begin(), operations.end(), plan.flows[f].operation) == operations.end())
        continue;
      waited = waited + fred->other_route_set(hw::FlowId(f), end);
    }
  }
  return waited;
}

}  // namespace fredsim::tb
