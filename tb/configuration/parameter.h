#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "tb/configuration/configuration.h"

namespace fredsim::tb {

enum class ValueType : std::uint8_t { time, bytes, capacity, bandwidth, integer, real, boolean, enumeration };

/// "time", "bytes", ...: as `describe` and the guide name it.
std::string_view to_string(ValueType type);

/// One parameter, declared once: the reader, `describe`, the guide and every message read this.
struct Parameter {
  std::string key;  ///< dotted; in YAML also as nested mappings
  ValueType type = ValueType::integer;
  std::string unit;          ///< of an integer or a real ("ports"); empty for those that carry theirs
  bool required = false;     ///< has no default
  std::string default_text;  ///< as a user would write it; empty if required or taken from another parameter
  std::string default_from;  ///< key of the parameter whose value is the default; empty if there is none
  std::string minimum;       ///< as a user would write it; empty: no bound
  std::string maximum;       ///< likewise
  std::vector<std::string> choices;  ///< of an enumeration
  std::string requirement;  ///< what else is allowed or required, in words; checked with other parameters
  std::string meaning;      ///< one sentence
  std::string source;       ///< of the default

  /// Parse, check the range and store. Throws InputError without place and key.
  std::function<void(Configuration&, const std::string& text)> assign;
  /// The value as a user would write it.
  std::function<std::string(const Configuration&)> print;
};

/// All parameters there are, grouped by topic, in the order in which they are shown.
const std::vector<Parameter>& parameters();

/// The parameter with this key, or null.
const Parameter* find_parameter(std::string_view key);

/// What stands before the first dot of a key; empty for a key without one.
std::string_view topic_of(const Parameter& parameter);
/// What a topic is about, as a heading.
std::string_view topic_title(std::string_view topic);

/// "integer (ports)", "time".
std::string type_text(const Parameter& parameter);
/// "2 to 64", "fail, block", "true, false": what a user may write.
std::string allowed_text(const Parameter& parameter);
/// "3.3 ns", "as link.latency", "required".
std::string default_text(const Parameter& parameter);

}  // namespace fredsim::tb
