#include "tb/systems/plan_options.h"

#include <fmt/format.h>

#include <algorithm>

#include "hw/core/error.h"
#include "tb/plan/collectives.h"
#include "tb/systems/faults.h"
#include "tb/systems/length.h"
#include "tb/systems/memory.h"
#include "tb/systems/trains.h"

namespace fredsim::tb {

PlanOptions plan_options(const Configuration& configuration) {
  PlanOptions options;
  if (configuration.system == SystemKind::mesh) {
    options.mesh = MeshOptions{{configuration.mesh.columns, configuration.mesh.rows},
                               configuration.mesh_link().bandwidth};
  } else {
    options.tree = configuration.tree_shape();
  }
  options.middle = configuration.sw.middle;
  options.packet.bytes = static_cast<std::uint32_t>(configuration.packet.bytes);
  options.packet.header = static_cast<std::uint32_t>(configuration.packet.header);
  options.packet.control = static_cast<std::uint32_t>(configuration.packet.control);
  options.packet.train = train_of(configuration);
  options.dtype = configuration.data.dtype;
  options.npu_flops = configuration.npu.flops;
  options.route_memory = hw::Capacity::bytes(configuration.sw.route_memory);
  options.route_miss = configuration.sw.route_miss;
  options.conflict = configuration.sw.conflict;
  options.algorithm = configuration.collective.of_class;
  options.chunks = configuration.collective.chunks;
  options.npu_bandwidth = configuration.npu_link().bandwidth;
  options.io_bandwidth = configuration.io_link().bandwidth;
  options.level_bandwidth.push_back(options.npu_bandwidth);
  for (std::uint32_t level = 2; level <= configuration.levels(); ++level)
    options.level_bandwidth.push_back(configuration.link_up_to(level).bandwidth);
  return options;
}

namespace {

/// Sources keep nothing of what they have added up for others and sent on, so they cannot send it again.
void check_reliability(const hw::Workload& workload, const Plan& plan) {
  for (std::uint32_t o = 0; o < plan.operations.size(); ++o) {
    if (!plan.operations[o].endpoint) continue;
    const bool decomposed =
        std::binary_search(plan.decomposed.begin(), plan.decomposed.end(), hw::OperationId(o));
    throw hw::InputError(fmt::format(
        "{}algorithm \"{}\"{} goes on from what members have added up, and reliability: flow sends again "
        "only what the network adds up or copies; allowed: reliability: link, or {}",
        place_of(workload, hw::OperationId(o)), plan.operations[o].algorithm,
        decomposed ? " (switch.conflict: decompose)" : "",
        decomposed ? "another switch.conflict" : "algorithm auto or in-network"));
  }
}

}  // namespace

Plan plan_for(const Configuration& configuration, const hw::Workload& workload, bool keep_order) {
  check_memory(configuration, workload);
  PlanOptions options = plan_options(configuration);
  options.keep_order = keep_order;
  Plan plan = make_plan(workload, options);
  check_length(workload, plan, configuration.npu_link());
  if (configuration.reliability() == Reliability::flow) check_reliability(workload, plan);
  make_faults(configuration, workload, plan);  // refuses what it cannot make
  return plan;
}

}  // namespace fredsim::tb
