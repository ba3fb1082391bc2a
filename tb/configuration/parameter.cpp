#include "tb/configuration/parameter.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "hw/core/error.h"
#include "tb/configuration/declaration.h"

namespace fredsim::tb {

std::string_view to_string(ValueType type) {
  switch (type) {
    case ValueType::time:
      return "time";
    case ValueType::bytes:
      return "bytes";
    case ValueType::capacity:
      return "capacity";
    case ValueType::bandwidth:
      return "bandwidth";
    case ValueType::integer:
      return "integer";
    case ValueType::real:
      return "real";
    case ValueType::boolean:
      return "boolean";
    case ValueType::enumeration:
      return "enumeration";
    case ValueType::text:
      return "text";
    case ValueType::file:
      return "file";
    case ValueType::faults:
      return "faults";
  }
  throw hw::InternalError("unknown value type");
}

const std::vector<Parameter>& parameters() {
  static const std::vector<Parameter> list = [] {
    std::vector<Parameter> all;
    const auto& declared = declared_parameters();
    for (auto at = declared.begin(); at != declared.end();) {
      if (!at->is_family()) {
        all.push_back(*at++);
        continue;
      }
      const auto end = std::find_if(at, declared.end(), [&](const Parameter& p) {
        return !p.is_family() || topic_of(p) != topic_of(*at);
      });
      for (std::uint32_t level = 1; level <= max_levels; ++level) {
        for (auto family = at; family != end; ++family) {
          if (family->first_level <= level && level <= family->last_level)
            all.push_back(family->member(level));
        }
      }
      at = end;
    }
    return all;
  }();
  return list;
}

const Parameter* find_parameter(std::string_view key) {
  const auto& all = parameters();
  const auto found = std::find_if(all.begin(), all.end(), [&](const Parameter& p) { return p.key == key; });
  return found == all.end() ? nullptr : &*found;
}

std::string no_effect(const Parameter& parameter, const Configuration& configuration) {
  const auto name = [](SystemKind kind) { return names_of<SystemKind>().at(static_cast<std::size_t>(kind)); };
  const SystemKind system = configuration.system;
  const std::vector<SystemKind>& kinds = parameter.only_in;
  if (!kinds.empty() && std::find(kinds.begin(), kinds.end(), system) == kinds.end()) {
    std::vector<std::string> names;
    for (const SystemKind kind : kinds) names.push_back(name(kind));
    return fmt::format("has no effect with system: {}; it belongs to system: {}", name(system),
                       fmt::join(names, " or "));
  }
  if (system == SystemKind::wan) {
    const auto topic = topic_of(parameter);
    for (const char* part :
         {"switch", "link", "buffer", "npu", "collective", "watchdog", "pressure", "faults"}) {
      if (topic == part) return "has no effect with system: wan";
    }
    if (parameter.key == "reliability") return "has no effect with system: wan, which has wan.loss";
  }
  if (parameter.only_if && !parameter.only_if(configuration)) return parameter.otherwise;
  const std::uint32_t levels = configuration.levels();
  if (parameter.levels_needed <= levels) return "";
  if (system != SystemKind::tree) {
    return fmt::format("has no effect with system: {}, which has one level; it belongs to system: tree",
                       name(system));
  }
  if (parameter.level == levels) {
    return fmt::format("has no effect: level {} is the root (tree.levels: {}) and no port of it faces up",
                       levels, levels);
  }
  return fmt::format("has no effect: the tree has {} level{} (tree.levels)", levels, levels == 1 ? "" : "s");
}

std::string_view topic_of(const Parameter& parameter) {
  const std::size_t dot = parameter.key.find('.');
  return std::string_view(parameter.key).substr(0, dot == std::string::npos ? 0 : dot);
}

std::string type_text(const Parameter& parameter) {
  const std::string type(to_string(parameter.type));
  return parameter.unit.empty() ? type : fmt::format("{} ({})", type, parameter.unit);
}

std::string allowed_text(const Parameter& parameter) {
  std::string allowed;
  if (parameter.type == ValueType::boolean) allowed = "true, false";
  if (!parameter.choices.empty()) allowed = fmt::format("{}", fmt::join(parameter.choices, ", "));
  if (!parameter.minimum.empty()) allowed = parameter.minimum + " to " + parameter.maximum;
  if (!allowed.empty() && !parameter.requirement.empty()) allowed += ", ";
  return allowed + parameter.requirement;
}

std::string meaning_text(const Parameter& parameter) {
  if (!parameter.is_family()) return parameter.meaning;
  return fmt::format("{} K is {} to {}.", parameter.meaning, parameter.first_level, parameter.last_level);
}

std::string default_text(const Parameter& parameter) {
  if (parameter.required) return "(required)";
  return parameter.default_from.empty() ? parameter.default_text : "as " + parameter.default_from;
}

}  // namespace fredsim::tb
