#pragma once

#include <vector>

#include "accel/npu/program.h"
#include "tb/configuration/configuration.h"

namespace fredsim::tb {

/// Delays the start of about half of all parts by a random time, up to `pressure.start`.
void delay_starts(std::vector<accel::Program>& programs, const PressureConfiguration& pressure);

}  // namespace fredsim::tb
