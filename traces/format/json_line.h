#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace fredsim::trace {

/// A JSON value as a trace may hold it. What lies inside an object, or inside an array of an array, is not
/// kept.
struct JsonValue {
  enum class Kind { null, boolean, whole, negative, real, string, array, object };
  Kind kind = Kind::null;
  std::uint64_t whole = 0;       ///< Kind::whole
  std::int64_t negative = 0;     ///< Kind::negative
  double real = 0;               ///< Kind::real
  std::string text;              ///< Kind::string: the string; Kind::real: the number as written
  std::vector<JsonValue> items;  ///< Kind::array
};

/// "a string", "a fractional number", ... for messages.
std::string_view describe(JsonValue::Kind);

/// One line that holds one JSON object.
struct JsonLine {
  struct Field {
    std::string key;
    JsonValue value;
  };
  std::vector<Field> fields;         ///< in the line's order, the first of each key
  std::vector<std::string> doubled;  ///< keys that came again
  std::string error;                 ///< why the line is not one JSON object; empty if it is
  bool cut_off = false;              ///< the error is that the line ends too early

  const JsonValue* find(std::string_view key) const;
};

JsonLine parse_json_line(const std::string& text);

}  // namespace fredsim::trace
