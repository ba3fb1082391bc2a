#pragma once

#include <vector>

#include "accel/npu/program.h"
#include "tb/plan/collectives.h"
#include "tb/plan/order.h"
#include "tb/plan/plan.h"
#include "tb/plan/spread.h"

namespace fredsim::tb {

/// The fabric-wide flows of a workload and what every NPU does.
struct Traffic {
  std::vector<hw::Flow>
      flows;  ///< in the plan's order: by operation, then by the order in which it injects them
  std::vector<accel::Program> programs;
};

/// `planned`: index = OperationId. Flows are striped over the planes of `spread`.
Traffic make_traffic(const hw::Workload&, const Order&, const std::vector<PlannedOperation>& planned,
                     const Spread& spread, const PlanOptions&);

}  // namespace fredsim::tb
