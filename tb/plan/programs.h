#pragma once

#include <vector>

#include "accel/npu/program.h"
#include "tb/plan/collectives.h"
#include "tb/plan/order.h"
#include "tb/plan/plan.h"
#include "tb/plan/planes.h"

namespace fredsim::tb {

/// The fabric-wide flows of a workload and what every NPU does.
struct Traffic {
  std::vector<hw::Flow>
      flows;  ///< in the plan's order: by operation, then by the order in which it injects them
  std::vector<accel::Program> programs;
};

/// `planned`: index = OperationId. Flows that cross planes are striped over those of `planes`.
Traffic make_traffic(const hw::Workload&, const Order&, const std::vector<PlannedOperation>& planned,
                     const PlaneAssignment& planes, const sw::Tree&, const PlanOptions&);

}  // namespace fredsim::tb
