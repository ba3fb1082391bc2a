#pragma once

#include <vector>

#include "hw/core/records.h"
#include "switch/fabric/tree.h"
#include "tb/plan/plan.h"
#include "tb/systems/result.h"
#include "tb/systems/system.h"

namespace fredsim::tb {

/// What every unfinished operation waits for at every member, when nothing moves any more. `tree` is that of
/// the system's switches; null without any.
std::vector<Waiting> find_waiting(const System& system, const sw::Tree* tree, const hw::Workload& workload,
                                  const Plan& plan);

}  // namespace fredsim::tb
