#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "accel/npu/npu_base.h"
#include "hw/core/records.h"
#include "hw/link/faults.h"
#include "tb/configuration/configuration.h"
#include "tb/plan/plan.h"

namespace fredsim::tb {

/// The faults of a run as its modules are told of them.
struct Faults {
  std::map<std::string, hw::LinkFaultPlan> links;           ///< by name; those that are in the script
  std::map<hw::NpuId, std::vector<accel::Outage>> outages;  ///< ascending
  double bit_error_rate = 0;
  std::uint64_t seed = 0;
};

/// Throws InputError, with the place of the entry, where the script names an operation or flow that the
/// workload does not have.
Faults make_faults(const Configuration&, const hw::Workload&, const Plan&);

/// As results and scripts name a flow: operation/part, and /stripe where the part is striped over planes.
std::string flow_name(const hw::Workload&, const Plan&, hw::FlowId);

}  // namespace fredsim::tb
