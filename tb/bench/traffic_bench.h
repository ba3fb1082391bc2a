#pragma once

#include "tb/bench/system_bench.h"

namespace fredsim::tb::bench {

/// Registers uniform traffic on a mesh of 8 x 8: a little of it, and near saturation.
void register_traffic(const SystemOptions& options);

}  // namespace fredsim::tb::bench
