#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace fredsim::hw::test {

/// A value as text: decimal for integers and bits, the unescaped name for strings.
struct VcdVariable {
  std::string type;
  int width = 0;
  std::string initial;
  std::vector<std::pair<std::int64_t, std::string>> changes;

  std::string at(std::int64_t time_fs) const;
};

/// A dump as a strict reader sees it; what breaks a rule of the format is in `complaints`.
struct VcdDump {
  std::string timescale;
  bool has_date = false;
  std::map<std::string, VcdVariable> variables;  ///< by path
  std::vector<std::string> order;                ///< the paths as declared
  std::int64_t begin = -1;
  std::int64_t end = -1;
  std::vector<std::string> complaints;
  std::size_t changes = 0;
};

VcdDump parse_vcd(const std::string& text);
VcdDump read_vcd(const std::string& path);

}  // namespace fredsim::hw::test
