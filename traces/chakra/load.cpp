#include "traces/chakra/load.h"

#include <fmt/format.h>

#include <filesystem>

#include "hw/core/error.h"
#include "traces/chakra/import.h"
#include "traces/format/check.h"
#include "traces/format/read.h"

namespace fredsim::trace {

hw::Workload load(const std::string& path, std::optional<std::uint32_t> system_npus) {
  std::error_code error;
  const bool file = std::filesystem::exists(path, error) && !std::filesystem::is_directory(path, error);
  if (file) {
    // PREFIX.N.et: the whole trace is meant, of which this is one rank.
    const std::string name = std::filesystem::path(path).filename().string();
    const std::size_t ending = name.rfind(".et");
    const std::size_t dot = ending == std::string::npos || ending == 0 ? ending : name.rfind('.', ending - 1);
    if (dot != std::string::npos && name.size() <= ending + 6 &&
        is_chakra_prefix(path.substr(0, path.size() - (name.size() - dot)))) {
      throw hw::InputError(fmt::format("{}: is one rank of a Chakra trace; give the prefix {}", path,
                                       path.substr(0, path.size() - (name.size() - dot))));
    }
    return read_checked(path, system_npus);
  }
  if (!is_chakra_prefix(path)) {
    throw hw::InputError(
        fmt::format("{0}: no such trace file, nor Chakra files {0}.0.et, {0}.1.et, ...", path));
  }
  hw::Workload workload = import_chakra(path);
  if (system_npus) refuse(check(workload, system_npus));
  return workload;
}

}  // namespace fredsim::trace
