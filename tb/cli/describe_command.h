#pragma once

#include <CLI/CLI.hpp>
#include <functional>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "tb/configuration/configuration.h"

namespace fredsim::tb {

struct SystemDescription {
  /// {"modules": [{"name": ..., "type": ..., "modules": [...]}, ...], "hardware": {"key": value, object, or a
  /// table as a list of objects}, "workload": the same}. A module's other members, all optional, are shown as
  /// `key=value` behind its name.
  nlohmann::ordered_json json;
  std::string dot;  ///< a Graphviz picture
};

/// Elaborates the system of a configuration and says what it consists of and, given the path of a trace, what
/// that asks of it.
using DescribeSystem =
    std::function<SystemDescription(const Configuration&, const std::optional<std::string>& trace)>;

/// `fredsim describe`, which shows a configuration's modules and hardware as `describe_system` gives them;
/// without it (an empty function) only the parameters.
void add_describe_command(CLI::App& app, int& exit_code, DescribeSystem describe_system);

}  // namespace fredsim::tb
