#pragma once

#include <string>
#include <vector>

#include "tb/configuration/faults.h"
#include "tb/configuration/problems.h"
#include "tb/configuration/yaml_document.h"

namespace fredsim::tb {

/// The entries of a list; what is wrong with one is added to `problems` with its place. `key` is named in
/// messages.
std::vector<FaultEntry> read_fault_script(const YamlNode& list, const std::string& key, Problems& problems);

/// The entries of a YAML list in text. Throws InputError listing every problem. `name` stands for the text in
/// messages.
std::vector<FaultEntry> parse_fault_script(const std::string& text, const std::string& name);

/// The list as one line of YAML.
std::string fault_script_text(const std::vector<FaultEntry>& script);

}  // namespace fredsim::tb
