#pragma once

#include <cstddef>
#include <nlohmann/json.hpp>
#include <string>

namespace fredsim::tb {

/// A module tree (see SystemDescription) as indented lines, `name  Type  key=value`. Siblings that differ
/// only in a number of their names ("npu0 ... npu19") and in nothing inside share a line.
std::string modules_text(const nlohmann::ordered_json& modules, std::size_t indent);

}  // namespace fredsim::tb
