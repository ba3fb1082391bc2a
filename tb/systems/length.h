#pragma once

#include "hw/core/quantity.h"
#include "hw/core/records.h"
#include "tb/plan/plan.h"

namespace fredsim::tb {

/// Refuses (InputError) a workload of which one NPU's computes, or the bytes it sends over its link of
/// `npu_bandwidth`, take longer than the longest simulated time there is, Time::max().
void check_length(const hw::Workload& workload, const Plan& plan, hw::Bandwidth npu_bandwidth);

}  // namespace fredsim::tb
