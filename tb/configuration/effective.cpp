#include "tb/configuration/effective.h"

#include <filesystem>

#include "tb/configuration/value_text.h"

namespace fredsim::tb {

std::vector<EffectiveValue> Configuration::effective() const {
  std::vector<EffectiveValue> values;
  for (const Parameter& parameter : parameters()) {
    if (!no_effect(parameter, *this).empty()) continue;
    EffectiveValue value{parameter.key, parameter.print(*this), Origin::declared_default, "default"};
    if (const auto found = given.find(parameter.key); found != given.end()) {
      value.origin = found->second.origin;
      value.from = value.origin == Origin::set_option ? "--set" : found->second.place;
    } else if (!parameter.default_from.empty()) {
      value.origin = Origin::other_parameter;
      value.from =
          "as " + (parameter.choose_default ? parameter.choose_default(*this) : parameter.default_from);
    }
    values.push_back(std::move(value));
  }
  return values;
}

std::string Configuration::path_of(const std::string& key, const std::string& path) const {
  const auto found = given.find(key);
  const bool inside = found != given.end() && found->second.origin == Origin::file;
  if (!inside || std::filesystem::path(path).is_absolute()) return path;
  return (std::filesystem::path(source).parent_path() / path).string();
}

nlohmann::ordered_json value_json(const Parameter& parameter, const std::string& text) {
  switch (parameter.type) {
    case ValueType::integer:
      return parse_integer(text);
    case ValueType::real:
      return parse_real(text);
    case ValueType::boolean:
      return parse_boolean(text);
    default:
      return text;
  }
}

nlohmann::ordered_json effective_json(const Configuration& configuration) {
  nlohmann::ordered_json json = nlohmann::ordered_json::object();
  for (const Parameter& parameter : parameters()) {
    if (!no_effect(parameter, configuration).empty()) continue;
    json[parameter.key] = value_json(parameter, parameter.print(configuration));
  }
  return json;
}

}  // namespace fredsim::tb
