#include "tb/cli/module_text.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <vector>

namespace fredsim::tb {
namespace {

using nlohmann::ordered_json;

/// "npu#_to_l1_#" for "npu3_to_l1_0": the numbers at the ends of the names that the name is made of.
std::string pattern_of(const std::string& name) {
  const std::string joint = "_to_";
  std::string pattern;
  for (std::size_t begin = 0; begin <= name.size();) {
    const std::size_t end = std::min(name.find(joint, begin), name.size());
    std::size_t digits = end;
    while (digits > begin && std::isdigit(static_cast<unsigned char>(name[digits - 1]))) --digits;
    pattern += name.substr(begin, digits - begin) + (digits < end ? "#" : "");
    if (end == name.size()) break;
    pattern += joint;
    begin = end + joint.size();
  }
  return pattern;
}

struct Alike {
  std::string pattern;
  ordered_json inside;  ///< the module without its name
  std::vector<std::string> names;
};

std::vector<Alike> grouped(const ordered_json& modules) {
  std::vector<Alike> groups;
  for (const ordered_json& module : modules) {
    const std::string name = module.value("name", "?");
    ordered_json inside = module;
    inside.erase("name");
    const std::string pattern = pattern_of(name);
    const auto found = std::find_if(groups.begin(), groups.end(), [&](const Alike& group) {
      return group.pattern == pattern && group.inside == inside;
    });
    if (found != groups.end()) {
      found->names.push_back(name);
    } else {
      groups.push_back({pattern, std::move(inside), {name}});
    }
  }
  return groups;
}

std::string names_text(const std::vector<std::string>& names) {
  constexpr std::size_t most = 4;
  if (names.size() <= most) return fmt::format("{}", fmt::join(names, ", "));
  return fmt::format("{}, {}, ... {}", names[0], names[1], names.back());
}

}  // namespace

std::string modules_text(const ordered_json& modules, std::size_t indent) {
  std::string text;
  for (const Alike& group : grouped(modules)) {
    text += std::string(indent, ' ') + names_text(group.names);
    const auto shown = [](const ordered_json& value) {
      return value.is_string() ? value.get<std::string>() : value.dump();
    };
    if (group.inside.contains("type")) text += "  " + shown(group.inside["type"]);
    if (group.names.size() > 1) text += fmt::format(" x {}", group.names.size());
    for (const auto& [key, value] : group.inside.items()) {
      if (key != "type" && key != "modules") text += fmt::format("  {}={}", key, shown(value));
    }
    text += '\n';
    if (group.inside.contains("modules")) text += modules_text(group.inside["modules"], indent + 2);
  }
  return text;
}

}  // namespace fredsim::tb
