#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "tb/compare/differences.h"

namespace fredsim::tb {

/// What a person wants to know. `tolerance` decides the last line.
std::string to_text(const Comparison& comparison, double tolerance);

/// {"format":"fredsim-comparison","version":1,"largest_effect","configuration":[{"path","a","b","effect"}],
/// "metrics":[...],"results":[...]}; an infinite effect is null.
nlohmann::ordered_json to_json(const Comparison& comparison);

}  // namespace fredsim::tb
