#pragma once

#include "tb/configuration/configuration.h"
#include "tb/configuration/problems.h"

namespace fredsim::tb {

/// Add to `problems` every combination of values, each in its range, that cannot work together. The place is
/// that of the value the user gave.
void check_combinations(const Configuration& configuration, Problems& problems);

}  // namespace fredsim::tb
