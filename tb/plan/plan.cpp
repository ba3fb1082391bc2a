#include "tb/plan/plan.h"

#include <fmt/format.h>

#include "hw/core/error.h"
#include "tb/plan/collectives.h"
#include "tb/plan/concurrency.h"
#include "tb/plan/order.h"
#include "tb/plan/planes.h"
#include "tb/plan/programs.h"
#include "tb/plan/route_sets.h"
#include "tb/plan/switch_traffic.h"

namespace fredsim::tb {
namespace {

void check_system(const hw::Workload& workload, const sw::Tree& tree, const PlanOptions& options) {
  if (workload.npus > tree.npus()) {
    throw hw::InputError(fmt::format("{}: the trace is for {} NPUs, but the system has {}", workload.source,
                                     workload.npus, tree.npus()));
  }
  constexpr std::uint32_t largest_element = 4;
  if (options.packet.bytes < std::uint64_t{options.packet.header} + largest_element) {
    throw hw::InputError(fmt::format(
        "packet.bytes: {} bytes with a header of {} hold no element of {} bytes; allowed: {} or more",
        options.packet.bytes, options.packet.header, largest_element,
        std::uint64_t{options.packet.header} + largest_element));
  }
}

}  // namespace

Plan make_plan(const hw::Workload& workload, const PlanOptions& options) {
  const sw::Tree tree(options.tree);
  check_system(workload, tree, options);
  Plan plan;
  plan.operations.reserve(workload.operations.size());
  std::vector<bool> chosen;
  for (std::uint32_t o = 0; o < workload.operations.size(); ++o) {
    plan.operations.push_back(plan_operation(workload, hw::OperationId(o), options));
    chosen.push_back(joins_or_copies(workload.operations[o]));
  }
  Order order = make_order(workload);
  const Concurrency concurrency(workload, order, chosen);
  PlaneAssignment planes = assign_planes(workload, concurrency, tree);
  Traffic traffic = make_traffic(workload, order, plan.operations, planes, tree, options);
  std::vector<SwitchTraffic> switches =
      traffic_of_switches(traffic.flows, options.packet, planes, tree, options.keep_order);

  plan.order = std::move(order.operations);
  plan.flows = std::move(traffic.flows);
  plan.programs = std::move(traffic.programs);
  plan.turns = std::move(planes.turns);
  plan.planes_needed = planes.needed;
  for (std::size_t s = 0; s < switches.size(); ++s) {
    RoutedSwitch routed =
        route_switch(workload, concurrency, std::move(switches[s]), tree.switches()[s], options);
    plan.switches.push_back(std::move(routed.plan));
    plan.packed.push_back(routed.packed);
    plan.turns.insert(plan.turns.end(), routed.turns.begin(), routed.turns.end());
  }
  return plan;
}

}  // namespace fredsim::tb
