#pragma once

#include <functional>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

namespace fredsim::tb {

/// One number that says something about a whole run.
struct Metric {
  std::string name;     ///< short, with its unit
  std::string meaning;  ///< one sentence, for the guide
  /// Nothing where the run has no such thing.
  std::function<std::optional<double>(const nlohmann::ordered_json& result)> of;
};

/// The results with short names, in the order in which tables show them.
const std::vector<Metric>& ready_metrics();

}  // namespace fredsim::tb
