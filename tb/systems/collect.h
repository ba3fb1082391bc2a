#pragma once

#include "hw/core/quantity.h"
#include "hw/link/context.h"
#include "tb/plan/plan.h"
#include "tb/systems/result.h"
#include "tb/systems/system.h"

namespace fredsim::tb {

/// Reads the counters of all modules of `system` at `end` into `result`.
void collect(const System& system, const hw::Workload& workload, const Plan& plan,
             const accel::OperationBoard& board, const hw::Context& context, hw::Time end, Result& result);

/// What the traffic of a system has moved and added up to `end`.
Work work_of(const System& system, hw::Time end);

}  // namespace fredsim::tb
