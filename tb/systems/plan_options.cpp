#include "tb/systems/plan_options.h"

#include "tb/systems/faults.h"
#include "tb/systems/length.h"

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

Plan plan_for(const Configuration& configuration, const hw::Workload& workload, bool keep_order) {
  PlanOptions options = plan_options(configuration);
  options.keep_order = keep_order;
  Plan plan = make_plan(workload, options);
  check_length(workload, plan, configuration.npu_link());
  make_faults(configuration, workload, plan);  // refuses what it cannot make
  return plan;
}

}  // namespace fredsim::tb
