#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "tb/configuration/parameter.h"
#include "tb/configuration/yaml_mapping.h"

namespace fredsim::tb {

/// A value as it goes to a run, and where the sweep file gives it.
struct AxisValue {
  std::string text;
  std::string place;
};

/// A key that varies: of a configuration, or `config`, `trace` or `schedule`.
struct AxisKey {
  std::string key;
  std::string place;
  const Parameter* parameter = nullptr;  ///< null for the three files
  std::vector<AxisValue> values;
};

/// Keys that vary together, each with as many values.
struct Axis {
  std::vector<AxisKey> keys;
  std::size_t size() const { return keys.front().values.size(); }
};

/// The values of a key as a list or range below `node` gives them; adds to `problems` what is wrong. `folder`
/// is that of the sweep file. `of` is what messages call it. `distinct`: no value may be there twice.
AxisKey read_axis_key(const std::string& key, const std::string& of, const std::string& place,
                      const YamlNode& node, const std::string& folder, bool distinct, Problems& problems);

}  // namespace fredsim::tb
