#include "tb/sweep/files.h"

#include <filesystem>

#include "hw/core/error.h"

namespace fredsim::tb {

namespace fs = std::filesystem;

bool is_file_key(const std::string& key) {
  return key == "config" || key == "trace" || key == "schedule";
}

std::string relative_to(const std::string& folder, const std::string& path) {
  if (fs::path(path).is_absolute()) return path;
  return (fs::path(folder) / path).lexically_normal().string();
}

bool names_file(const Parameter& parameter, const std::string& value) {
  if (parameter.type == ValueType::faults) return !value.empty() && value.front() != '[';
  return parameter.type == ValueType::file && value != parameter.default_text;
}

std::string value_for_run(const Parameter& parameter, const std::string& text, const std::string& folder) {
  if (names_file(parameter, text)) return relative_to(folder, text);
  // Faults are read with the configuration, which knows how.
  if (parameter.type == ValueType::faults) return text;
  Configuration scratch;
  parameter.assign(scratch, text);
  return parameter.print(scratch);
}

}  // namespace fredsim::tb
