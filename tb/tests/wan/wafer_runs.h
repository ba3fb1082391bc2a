#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "tb/tests/wan/wan_replay.h"

namespace fredsim::tb::test {

/// "wan.wafer=...": Fred-D.
std::string wafer_set();

/// A global all-reduce of `bytes` (whole elements) per NPU among nine wafers of 20: expects right data at all
/// 180 NPUs, and that the parts of the time add up.
void expect_global_sum(std::uint64_t bytes, const std::vector<std::vector<std::string>>& rounds,
                       std::vector<std::string> sets);

}  // namespace fredsim::tb::test
