#pragma once

#include <CLI/CLI.hpp>
#include <functional>
#include <nlohmann/json.hpp>

#include "tb/configuration/configuration.h"

namespace fredsim::tb {

/// Elaborates the system of a configuration and says what it consists of:
///   {"modules": [{"name": ..., "type": ..., "modules": [...]}, ...], "hardware": {"key": value or object,
///   ...}}
/// A module's other members, all optional, are shown as `key=value` behind its name.
using DescribeSystem = std::function<nlohmann::ordered_json(const Configuration&)>;

/// `fredsim describe`, which shows a configuration's modules and hardware as `describe_system` gives them;
/// without it (an empty function) only the parameters.
void add_describe_command(CLI::App& app, int& exit_code, DescribeSystem describe_system);

}  // namespace fredsim::tb
