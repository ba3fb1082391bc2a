#pragma once

#include <nlohmann/json.hpp>

#include "tb/configuration/configuration.h"
#include "tb/configuration/parameter.h"

namespace fredsim::tb {

/// `{"system": "switch", "switch.ports": 8, "link.latency": "3.3 ns", ...}`: every parameter that plays a
/// part, as the results' "config" shows it, integers, reals and booleans as such, everything else as a user
/// would write it.
nlohmann::ordered_json effective_json(const Configuration& configuration);

/// One value as JSON, by the type of its parameter.
nlohmann::ordered_json value_json(const Parameter& parameter, const std::string& text);

}  // namespace fredsim::tb
