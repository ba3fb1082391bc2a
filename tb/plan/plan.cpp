#include "tb/plan/plan.h"

#include <fmt/format.h>

#include "hw/core/error.h"
#include "tb/plan/collectives.h"
#include "tb/plan/order.h"
#include "tb/plan/programs.h"
#include "tb/plan/route_sets.h"

namespace fredsim::tb {
namespace {

void check_system(const hw::Workload& workload, const PlanOptions& options) {
  if (workload.npus > options.ports) {
    throw hw::InputError(
        fmt::format("{}: the trace is for {} NPUs, but the switch has {} ports with one NPU each",
                    workload.source, workload.npus, options.ports));
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
  check_system(workload, options);
  Plan plan;
  plan.operations.reserve(workload.operations.size());
  for (std::uint32_t o = 0; o < workload.operations.size(); ++o) {
    plan.operations.push_back(plan_operation(workload, hw::OperationId(o), options));
  }
  Order order = make_order(workload);
  Traffic traffic = make_traffic(workload, order, plan.operations, options);
  RoutedSwitch routed = route_switch(workload, order, traffic.flows, options);

  plan.order = std::move(order.operations);
  plan.flows = std::move(traffic.flows);
  plan.programs = std::move(traffic.programs);
  plan.switches.push_back(std::move(routed.plan));
  plan.turns = std::move(routed.turns);
  plan.packed = routed.packed;
  return plan;
}

}  // namespace fredsim::tb
