#pragma once

#include <string>
#include <vector>

#include "hw/core/records.h"
#include "traces/chakra/rank_trace.h"

namespace fredsim::trace {

/// Joins the files of all ranks to one workload, not yet checked: collectives of a group match across its
/// ranks in order of appearance. hw::InputError with both places where ranks contradict each other.
hw::Workload merge(const std::vector<RankTrace>& ranks, const std::string& source);

}  // namespace fredsim::trace
