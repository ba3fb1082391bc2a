#pragma once

#include <array>

#include "accel/placement/placement.h"
#include "hw/core/records.h"
#include "tb/plan/plan.h"

namespace fredsim::tb {

/// How much a group of each class (MP, PP, DP) sends, in any unit.
using ClassLoads = std::array<double, hw::traffic_classes>;

/// Of the collectives and multicasts of a workload, by the NPU that takes part in most.
ClassLoads loads_of(const hw::Workload& workload);

/// How well a placement suits the system, the less the better: for each class, whose groups are all under way
/// at once, the load of the worst link. On a mesh that of rings, X-Y routed; on a tree that of the links up
/// from a switch, where groups take turns or planes of their own (conflicts).
double placement_cost(const PlanOptions& system, const accel::Strategy& strategy,
                      const accel::Placement& placement, const ClassLoads& loads);

}  // namespace fredsim::tb
