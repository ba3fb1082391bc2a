#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tb/configuration/configuration.h"

namespace fredsim::tb {

enum class ValueType : std::uint8_t {
  time,
  bytes,
  capacity,
  bandwidth,
  integer,
  real,
  boolean,
  enumeration,
  text,    ///< a word
  file,    ///< the name of one, or a word that stands for none
  faults,  ///< a list of faults, or a file with one
};

/// "time", "bytes", ...: as `describe` and the guide name it.
std::string_view to_string(ValueType type);

/// One parameter, declared once: the reader, `describe`, the guide and every message read this. A family is
/// declared once for several levels of a tree, with `lK` in its key where its members have the level.
struct Parameter {
  std::string key;  ///< dotted; in YAML also as nested mappings
  ValueType type = ValueType::integer;
  std::string unit;          ///< of an integer or a real ("ports"); empty for those that carry theirs
  bool required = false;     ///< has no default
  std::string default_text;  ///< as a user would write it; empty if required or taken from another parameter
  std::string default_from;  ///< whose value is the default: a key, or words if `choose_default` chooses it
  std::string minimum;       ///< as a user would write it; empty: no bound
  std::string maximum;       ///< likewise
  std::vector<std::string> choices;  ///< of an enumeration
  std::string requirement;  ///< what else is allowed or required, in words; checked with other parameters
  std::string meaning;      ///< one sentence
  std::string source;       ///< of the default

  std::vector<SystemKind> only_in = {};  ///< the kinds of system in which it plays a part; empty: all
  /// Whether other values leave it a part to play; empty: always. `otherwise` says why not.
  std::function<bool(const Configuration&)> only_if = {};
  std::string otherwise = {};
  std::uint32_t first_level = 0;  ///< of a family; 0: no family
  std::uint32_t last_level = 0;
  std::string family = {};          ///< of a member: the family's key
  std::uint32_t level = 0;          ///< of a member
  std::uint32_t levels_needed = 1;  ///< in a tree, for it to play a part

  bool is_family() const { return first_level > 0; }

  /// Parse, check the range and store. Throws InputError without place and key. Not for a family.
  std::function<void(Configuration&, const std::string& text)> assign;
  /// The value as a user would write it. Not for a family.
  std::function<std::string(const Configuration&)> print;
  /// The key of the parameter whose value is the default, where that depends on other values.
  std::function<std::string(const Configuration&)> choose_default;
  /// The member of a family at a level.
  std::function<Parameter(std::uint32_t level)> member;
};

/// All parameters as they are declared and documented, families as such, grouped by topic, in the order in
/// which they are shown.
const std::vector<Parameter>& declared_parameters();

/// All parameters that a configuration can hold, the members of families in place of the families. Members of
/// adjoining families are ordered by level first.
const std::vector<Parameter>& parameters();

/// The parameter with this key, or null.
const Parameter* find_parameter(std::string_view key);

/// Why a parameter plays no part in the system of a configuration, in words; empty if it does.
std::string no_effect(const Parameter& parameter, const Configuration& configuration);

/// What stands before the first dot of a key; empty for a key without one.
std::string_view topic_of(const Parameter& parameter);
/// What a topic is about, as a heading.
std::string_view topic_title(std::string_view topic);

/// "integer (ports)", "time".
std::string type_text(const Parameter& parameter);
/// "2 to 64", "fail, block", "true, false": what a user may write.
std::string allowed_text(const Parameter& parameter);
/// "3.3 ns", "as link.latency", "(required)".
std::string default_text(const Parameter& parameter);
/// The meaning, and of a family which levels there are.
std::string meaning_text(const Parameter& parameter);

}  // namespace fredsim::tb
