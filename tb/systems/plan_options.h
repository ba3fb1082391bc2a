#pragma once

#include "tb/configuration/configuration.h"
#include "tb/plan/plan.h"

namespace fredsim::tb {

/// What the plan needs to know of a configuration.
PlanOptions plan_options(const Configuration& configuration);

/// The plan of a workload on the system of a configuration; `keep_order` as in PlanOptions. Throws InputError
/// for one that it cannot run, or not within the longest simulated time there is.
Plan plan_for(const Configuration& configuration, const hw::Workload& workload, bool keep_order = true);

}  // namespace fredsim::tb
