#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "tb/configuration/configuration.h"
#include "tb/configuration/effective.h"

namespace fredsim::tb {

/// A configuration as if from the file c.yaml.
inline Configuration parse(const std::string& text, const std::vector<std::string>& sets = {}) {
  return parse_configuration(text, "c.yaml", sets);
}

/// Every effective value, by key.
inline std::map<std::string, std::string> values(const Configuration& configuration) {
  std::map<std::string, std::string> result;
  for (const EffectiveValue& value : configuration.effective()) result[value.key] = value.value;
  return result;
}

constexpr std::uint64_t kibi = 1024;

}  // namespace fredsim::tb
