#pragma once

#include "hw/core/quantity.h"
#include "hw/core/records.h"
#include "tb/configuration/configuration.h"
#include "tb/plan/plan.h"

namespace fredsim::tb {

/// Refuses (InputError) a workload that surely takes longer than the longest simulated time there is,
/// Time::max(): one NPU's computes, the bytes it sends over its link `npu_link`, or operations that wait for
/// one another, each for its data to cross two such links. One that passes can still turn out too long.
void check_length(const hw::Workload& workload, const Plan& plan, const LinkConfiguration& npu_link);

}  // namespace fredsim::tb
