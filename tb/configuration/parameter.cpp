#include "tb/configuration/parameter.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "hw/core/error.h"

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
  }
  throw hw::InternalError("unknown value type");
}

const Parameter* find_parameter(std::string_view key) {
  const auto& all = parameters();
  const auto found = std::find_if(all.begin(), all.end(), [&](const Parameter& p) { return p.key == key; });
  return found == all.end() ? nullptr : &*found;
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

std::string default_text(const Parameter& parameter) {
  if (parameter.required) return "(required)";
  return parameter.default_from.empty() ? parameter.default_text : "as " + parameter.default_from;
}

}  // namespace fredsim::tb
