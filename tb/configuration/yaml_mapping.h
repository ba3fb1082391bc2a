#pragma once

#include <functional>
#include <string>
#include <vector>

#include "tb/configuration/problems.h"
#include "tb/configuration/yaml_document.h"

namespace fredsim::tb {

/// A key of a mapping that has a fixed set of them: how its value is read.
struct YamlKey {
  std::string name;
  bool required = false;
  std::function<void(const YamlNode&)> read;  ///< throws InputError without place and key
};

/// Calls `read` for each key of `node` and adds to `problems` what is wrong: no mapping, an unknown, doubled
/// or missing key, and what `read` throws. `place` is where `node` begins, `of` the path of its key, empty
/// for the root of a file.
void read_mapping(const YamlNode& node, const std::string& place, const std::string& of,
                  const std::vector<YamlKey>& keys, Problems& problems);

/// The text of a scalar. Throws InputError, without place and key, for anything else; `due` says what is due.
const std::string& scalar_of(const YamlNode& node, const char* due);

}  // namespace fredsim::tb
