#pragma once

#include <cstddef>
#include <nlohmann/json.hpp>
#include <string>

#include "tb/configuration/configuration.h"

namespace fredsim::tb {

/// Every parameter with type, default, allowed values, meaning and source, grouped by topic, in lines of at
/// most `width` characters where words allow.
std::string parameters_text(std::size_t width);

/// The same as Markdown tables; docs/04-configuration.md holds exactly this text.
std::string parameters_markdown();

/// `{"format": "fredsim-parameters", "version": 1, "parameters": [{"key", "type", ...}]}`
nlohmann::ordered_json parameters_json();

/// Every parameter's value and where it comes from, then the modules and hardware as `system` gives them (see
/// DescribeSystem; null for none).
std::string description_text(const Configuration& configuration, const nlohmann::ordered_json& system);

/// `{"format": "fredsim-description", "version": 1, "config": {key: value}, "origin": {key: from}, "modules":
/// ..., "hardware": ..., "workload": ...}`
nlohmann::ordered_json description_json(const Configuration& configuration,
                                        const nlohmann::ordered_json& system);

}  // namespace fredsim::tb
