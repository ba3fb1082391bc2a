#pragma once

#include <nlohmann/json.hpp>

#include "tb/configuration/configuration.h"

namespace fredsim::tb {

/// The module tree and the hardware counts of the system of a configuration, for `fredsim describe`.
nlohmann::ordered_json describe_system(const Configuration& configuration);

}  // namespace fredsim::tb
