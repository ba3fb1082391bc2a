#pragma once

#include <cstdint>
#include <vector>

#include "switch/route/coloring.h"
#include "switch/route/search.h"

namespace fredsim::sw {

/// The explanation of flows that are known not to route together. `core` is a subset of them that does not
/// either; each part of the explanation takes at most `step_limit` steps.
Conflict explain_conflict(const Structure&, const std::vector<PortFlow>& flows, FlowSet core,
                          std::uint64_t step_limit);

}  // namespace fredsim::sw
