#pragma once

#include "hw/core/records.h"
#include "tb/configuration/configuration.h"

namespace fredsim::tb {

/// Throws InputError, with the figures, when what the workload keeps on its busiest NPU is more than
/// npu.memory.
void check_memory(const Configuration& configuration, const hw::Workload& workload);

}  // namespace fredsim::tb
