#pragma once

#include <vector>

#include "hw/core/records.h"
#include "tb/plan/plan.h"

namespace fredsim::tb {

/// Of the operations of `plan` that take turns since they do not route together, adds more to `decomposed`,
/// ascending: of each conflict the smallest group, the last of equals, with all of its operations of that
/// class. Returns whether it has added any, and the workload is to be planned again. Throws InputError for a
/// conflict of which no operation can be carried out by its members.
bool decompose_more(const hw::Workload&, const Plan& plan, std::vector<hw::OperationId>& decomposed);

}  // namespace fredsim::tb
