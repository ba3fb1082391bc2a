#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <set>

#include "hw/core/error.h"
#include "tb/configuration/combinations.h"
#include "tb/configuration/configuration.h"
#include "tb/configuration/fault_script.h"
#include "tb/configuration/parameter.h"
#include "tb/configuration/problems.h"
#include "tb/configuration/unknown_key.h"
#include "tb/configuration/value_text.h"
#include "tb/configuration/yaml_document.h"

namespace fredsim::tb {
namespace {

std::string read_text(const std::string& path, const char* what);

class Reader {
 public:
  explicit Reader(const std::string& name) { configuration_.source = name; }

  void read_defaults() {
    for (const Parameter& parameter : parameters()) {
      if (!parameter.default_text.empty()) parameter.assign(configuration_, parameter.default_text);
    }
  }

  void read_file(const std::string& text) { read_mapping(parse_yaml(text, configuration_.source), ""); }

  void read_sets(const std::vector<std::string>& sets) {
    std::set<std::string> seen;
    for (const std::string& set : sets) {
      const std::string place = "--set " + shown_set(set);
      const std::size_t equals = set.find('=');
      if (equals == std::string::npos) throw hw::InputError(place + ": write --set key=value");
      const std::string key = trimmed(set.substr(0, equals));
      if (!seen.insert(key).second) {
        problems_.add(place, shown_key(key), "doubled: --set gives this key twice");
        continue;
      }
      YamlNode value{YamlNode::Kind::plain, trimmed(set.substr(equals + 1)), place, {}};
      if (value.text.empty()) value.kind = YamlNode::Kind::null;
      read_value(key, place, value, Origin::set_option);
    }
  }

  Configuration finish() {
    for (const Parameter& parameter : parameters()) {
      if (configuration_.given.count(parameter.key) > 0) continue;
      if (!parameter.default_from.empty()) {
        if (!parameter.choose_default) follow(parameter, parameter.default_from);
      } else if (parameter.required && tried_.count(parameter.key) == 0) {
        problems_.add(configuration_.source + ":1:1", parameter.key,
                      "is missing; it is required; allowed: " + allowed_text(parameter));
      }
    }
    for (const Parameter& parameter : parameters()) {
      if (configuration_.given.count(parameter.key) > 0 || !parameter.choose_default) continue;
      follow(parameter, parameter.choose_default(configuration_));
    }
    refuse_without_effect();
    // Values that stand in for refused ones would only produce false alarms.
    if (problems_.empty()) check_combinations(configuration_, problems_);
    problems_.throw_if_any();
    return std::move(configuration_);
  }

 private:
  void follow(const Parameter& parameter, const std::string& key) {
    parameter.assign(configuration_, find_parameter(key)->print(configuration_));
  }

  /// A value that nothing uses is a mistake, unless what decides about its use was refused itself.
  void refuse_without_effect() {
    for (const char* key : {"system", "tree.levels"}) {
      const Parameter& parameter = *find_parameter(key);
      const bool tried = parameter.required || tried_.count(key) > 0;
      if (tried && configuration_.given.count(key) == 0) return;
    }
    for (const Parameter& parameter : parameters()) {
      const auto found = configuration_.given.find(parameter.key);
      if (found == configuration_.given.end()) continue;
      const std::string reason = no_effect(parameter, configuration_);
      if (!reason.empty()) problems_.add(found->second.place, parameter.key, reason);
    }
  }

  static std::string trimmed(const std::string& text) {
    const std::size_t begin = text.find_first_not_of(" \t");
    if (begin == std::string::npos) return "";
    return text.substr(begin, text.find_last_not_of(" \t") - begin + 1);
  }

  static std::string shown_set(const std::string& set) {
    const std::string escaped = in_quotes(set);
    return escaped.substr(1, escaped.size() - 2);
  }

  void read_mapping(const YamlNode& mapping, const std::string& group) {
    std::set<std::string> groups;
    for (const YamlMember& member : mapping.members) {
      const std::string key = group.empty() ? member.key : group + "." + member.key;
      if (member.value.kind != YamlNode::Kind::mapping || !is_group(key)) {
        read_value(key, member.place, member.value, Origin::file);
      } else if (!groups.insert(key).second) {
        problems_.add(member.place, key, "doubled: this mapping has the key twice; join the two");
      } else {
        read_mapping(member.value, key);
      }
    }
  }

  void read_value(const std::string& key, const std::string& key_place, const YamlNode& value,
                  Origin origin) {
    const Parameter* parameter = find_parameter(key);
    if (parameter == nullptr) {
      problems_.add(key_place, shown_key(key),
                    is_group(key) ? "is a group of parameters and takes no value itself: " + known_keys(key)
                                  : unknown_key(key));
      return;
    }
    if (origin == Origin::file) {
      const auto [first, inserted] = tried_.emplace(key, key_place);
      if (!inserted) {
        problems_.add(key_place, key, "doubled: the key is given before at " + first->second);
        return;
      }
    }
    tried_.emplace(key, key_place);
    if (parameter->type == ValueType::faults) return read_faults(key, value, origin);
    try {
      check_kind(*parameter, value);
      parameter->assign(configuration_, value.text);
      configuration_.given[key] = {origin, value.place};
    } catch (const hw::InputError& error) {
      problems_.add(value.place, key, fmt::format("{}; allowed: {}", error.what(), allowed_text(*parameter)));
    }
  }

  /// A list, the text of one, or the name of a file with one.
  void read_faults(const std::string& key, const YamlNode& value, Origin origin) {
    configuration_.given[key] = {origin, value.place};
    std::vector<FaultEntry>& script = configuration_.faults.script;
    if (value.kind == YamlNode::Kind::sequence) {
      script = read_fault_script(value, key, problems_);
      return;
    }
    try {
      if (value.kind != YamlNode::Kind::plain && value.kind != YamlNode::Kind::quoted)
        throw hw::InputError("is neither a list nor the name of a file");
      if (value.text.rfind('[', 0) == 0) {
        script = read_fault_script(parse_yaml_list(value.text, value.place), key, problems_);
        return;
      }
      const std::string path = configuration_.path_of(key, value.text);
      const YamlNode list = parse_yaml_list(read_text(path, "a script of faults"), path);
      script = read_fault_script(list, key, problems_);
    } catch (const hw::InputError& error) {
      problems_.add(value.place, key,
                    fmt::format("{}; allowed: {}", error.what(), allowed_text(*find_parameter(key))));
    }
  }

  static void check_kind(const Parameter& parameter, const YamlNode& value) {
    const auto refuse = [&](const std::string& what) {
      throw hw::InputError(fmt::format("{}, but one value is due: {}", what, type_text(parameter)));
    };
    if (value.kind == YamlNode::Kind::null) refuse("there is no value");
    if (value.kind == YamlNode::Kind::sequence) refuse("this is a list");
    if (value.kind == YamlNode::Kind::mapping) refuse("this is a mapping");
    const bool number = parameter.type == ValueType::integer || parameter.type == ValueType::real ||
                        parameter.type == ValueType::boolean;
    if (number && value.kind == YamlNode::Kind::quoted) {
      throw hw::InputError(fmt::format("{} in quotes is text, not {}; leave the quotes out",
                                       in_quotes(value.text),
                                       parameter.type == ValueType::boolean ? "a boolean" : "a number"));
    }
  }

  Configuration configuration_;
  Problems problems_;
  std::map<std::string, std::string> tried_;  ///< keys the user gave, right or wrong, and where first
};

std::string read_text(const std::string& path, const char* what) {
  std::error_code ignored;
  if (std::filesystem::is_directory(path, ignored)) {
    throw hw::InputError(fmt::format("{}: is a directory; {} is a YAML file", path, what));
  }
  std::ifstream file(path, std::ios::binary);
  if (!file) throw hw::InputError(fmt::format("{}: cannot be opened: {}", path, std::strerror(errno)));
  // Hand-written files have a few KiB. The limit keeps a device or a trace given by mistake from being parsed
  // for hours.
  constexpr std::size_t most = 256 * 1024;
  std::string text(most + 1, '\0');
  file.read(text.data(), static_cast<std::streamsize>(text.size()));
  if (file.bad()) throw hw::InputError(fmt::format("{}: cannot be read: {}", path, std::strerror(errno)));
  text.resize(static_cast<std::size_t>(file.gcount()));
  if (text.size() > most)
    throw hw::InputError(fmt::format("{}: is larger than 256 KiB, so it is not {}", path, what));
  return text;
}

}  // namespace

Configuration parse_configuration(const std::string& text, const std::string& name,
                                  const std::vector<std::string>& sets) {
  Reader reader(name);
  reader.read_defaults();
  reader.read_file(text);
  reader.read_sets(sets);
  return reader.finish();
}

Configuration load_configuration(const std::string& path, const std::vector<std::string>& sets) {
  return parse_configuration(read_text(path, "a configuration"), path, sets);
}

}  // namespace fredsim::tb
