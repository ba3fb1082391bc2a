#include "tb/plan/plan.h"

#include <fmt/format.h>

#include <functional>

#include "hw/core/error.h"
#include "tb/plan/collectives.h"
#include "tb/plan/concurrency.h"
#include "tb/plan/endpoint.h"
#include "tb/plan/io_streams.h"
#include "tb/plan/mesh_spread.h"
#include "tb/plan/order.h"
#include "tb/plan/planes.h"
#include "tb/plan/programs.h"
#include "tb/plan/route_sets.h"
#include "tb/plan/spread.h"
#include "tb/plan/switch_traffic.h"

namespace fredsim::tb {
namespace {

void check_system(const hw::Workload& workload, std::uint32_t npus, const PlanOptions& options) {
  if (workload.npus > npus) {
    throw hw::InputError(fmt::format("{}: the trace is for {} NPUs, but the system has {}", workload.source,
                                     workload.npus, npus));
  }
  constexpr std::uint32_t largest_element = 4;
  if (options.packet.bytes < std::uint64_t{options.packet.header} + largest_element) {
    throw hw::InputError(fmt::format(
        "packet.bytes: {} bytes with a header of {} hold no element of {} bytes; allowed: {} or more",
        options.packet.bytes, options.packet.header, largest_element,
        std::uint64_t{options.packet.header} + largest_element));
  }
}

/// What a plan for any fabric has.
struct Operations {
  std::vector<PlannedOperation> planned;
  std::vector<bool> joins_or_copies;
};

Operations plan_operations(const hw::Workload& workload, const PlanOptions& options,
                           std::function<std::uint32_t(hw::NpuId)> place_of) {
  Operations operations;
  EndpointPlanner planner(options, std::move(place_of));
  operations.planned.reserve(workload.operations.size());
  for (std::uint32_t o = 0; o < workload.operations.size(); ++o) {
    operations.planned.push_back(plan_operation(workload, hw::OperationId(o), options, planner));
    operations.joins_or_copies.push_back(joins_or_copies(workload.operations[o], operations.planned.back()));
  }
  return operations;
}

/// Routers need no plan but where flows go.
Plan plan_mesh(const hw::Workload& workload, const PlanOptions& options) {
  const sw::Mesh& mesh = options.mesh->mesh;
  check_system(workload, mesh.nodes(), options);
  Plan plan;
  plan.operations =
      plan_operations(workload, options, [&](hw::NpuId npu) { return mesh.row_of(npu.value); }).planned;
  Order order = make_order(workload);
  Traffic traffic = make_traffic(
      workload, order, plan.operations,
      MeshSpread(mesh, options.mesh->link, options.npu_bandwidth, options.io_bandwidth), options);
  plan.order = std::move(order.operations);
  plan.flows = std::move(traffic.flows);
  plan.programs = std::move(traffic.programs);
  plan.routes.emplace(mesh);
  for (const hw::Flow& flow : plan.flows) {
    const bool broadcast = flow.sources.front().value >= mesh.nodes() &&
                           workload.operations[flow.operation.value].mode != "shard";
    if (broadcast) {
      plan.routes->add_tree(load_tree(flow, mesh));
    } else {
      plan.routes->add({flow.destinations.front().value, sw::Side::local});
    }
  }
  return plan;
}

}  // namespace

Plan make_plan(const hw::Workload& workload, const PlanOptions& options) {
  if (options.mesh) return plan_mesh(workload, options);
  const sw::Tree tree(options.tree);
  check_system(workload, tree.npus(), options);
  Plan plan;
  Operations operations =
      plan_operations(workload, options, [&](hw::NpuId npu) { return tree.subtree_of(npu, 1); });
  plan.operations = std::move(operations.planned);
  Order order = make_order(workload);
  const Concurrency concurrency(workload, order, operations.joins_or_copies);
  PlaneAssignment planes = assign_planes(workload, concurrency, tree);
  Traffic traffic =
      make_traffic(workload, order, plan.operations, TreeSpread(tree, planes, options), options);
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
