#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace fredsim::tb {

struct YamlMember;

/// A value of a YAML file with its place.
struct YamlNode {
  enum class Kind : std::uint8_t { plain, quoted, null, sequence, mapping };

  Kind kind = Kind::null;
  std::string text;                      ///< of a plain or quoted scalar
  std::string place;                     ///< "file:line:column"; columns count bytes from 1
  std::vector<YamlMember> members = {};  ///< of a mapping, in file order, doubled keys included
  std::vector<YamlNode> items = {};      ///< of a sequence
};

struct YamlMember {
  std::string key;
  std::string place;
  YamlNode value;
};

/// Read the one document of `text`, whose root must be a mapping. `name` stands for the file in places.
/// Throws InputError, with place, for an empty file, a root that is no mapping, a second document, a syntax
/// error, text that is not UTF-8, control characters, indentation by tabs, keys that are no plain words, and
/// for anchors, aliases, merge keys and tags, which are refused.
YamlNode parse_yaml(const std::string& text, const std::string& name);
/// The same with a root that must be a list.
YamlNode parse_yaml_list(const std::string& text, const std::string& name);

}  // namespace fredsim::tb
