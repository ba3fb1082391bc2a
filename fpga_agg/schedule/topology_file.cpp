#include <fmt/format.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>

#include "fpga_agg/schedule/text_file.h"
#include "fpga_agg/schedule/topology.h"
#include "hw/core/error.h"

namespace fredsim::agg {

std::string read_small_file(const std::string& path, const std::string& what) {
  std::error_code ignored;
  if (std::filesystem::is_directory(path, ignored)) {
    throw hw::InputError(fmt::format("{}: is a directory; {} is a file", path, what));
  }
  std::ifstream file(path, std::ios::binary);
  if (!file) throw hw::InputError(fmt::format("{}: cannot be opened: {}", path, std::strerror(errno)));
  // Keeps a device or a trace given by mistake from being parsed for hours.
  constexpr std::size_t most = 1024 * 1024;
  std::string text(most + 1, '\0');
  file.read(text.data(), static_cast<std::streamsize>(text.size()));
  if (file.bad()) throw hw::InputError(fmt::format("{}: cannot be read: {}", path, std::strerror(errno)));
  text.resize(static_cast<std::size_t>(file.gcount()));
  if (text.size() > most)
    throw hw::InputError(fmt::format("{}: is larger than 1 MiB, so it is not {}", path, what));
  return text;
}

Topology load_topology(const std::string& path) {
  const std::string text = read_small_file(path, "a topology");
  const bool csv = path.size() >= 4 && path.compare(path.size() - 4, 4, ".csv") == 0;
  return csv ? parse_topology_csv(text, path) : parse_topology_yaml(text, path);
}

}  // namespace fredsim::agg
