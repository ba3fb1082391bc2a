#include "traces/chakra/load.h"

#include <fmt/format.h>

#include <filesystem>

#include "hw/core/error.h"
#include "traces/chakra/import.h"
#include "traces/format/check.h"
#include "traces/format/read.h"

namespace fredsim::trace {

void refuse_single_rank(const std::string& path) {
  std::string prefix = path;
  for (const char* ending : {".gz", ".et"}) {
    const std::string text = ending;
    if (prefix.size() > text.size() && prefix.compare(prefix.size() - text.size(), text.size(), text) == 0) {
      prefix.erase(prefix.size() - text.size());
    }
  }
  const std::size_t dot = prefix.rfind('.');
  if (prefix == path || dot == std::string::npos) return;
  prefix.erase(dot);
  if (is_chakra_prefix(prefix)) {
    throw hw::InputError(fmt::format("{}: is one rank of a Chakra trace; give the prefix {}", path, prefix));
  }
}

hw::Workload load(const std::string& path, std::optional<std::uint32_t> system_npus) {
  refuse_single_rank(path);
  std::error_code error;
  const bool file = std::filesystem::exists(path, error) && !std::filesystem::is_directory(path, error);
  if (file) return read_checked(path, system_npus);
  if (!is_chakra_prefix(path)) {
    throw hw::InputError(
        fmt::format("{0}: no such trace file, nor Chakra files {0}.0.et, {0}.1.et, ...", path));
  }
  hw::Workload workload = import_chakra(path);
  if (system_npus) refuse(check(workload, system_npus));
  return workload;
}

}  // namespace fredsim::trace
