#include "traces/format/json_line.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>

namespace fredsim::trace {
namespace {

using Kind = JsonValue::Kind;

/// No line needs more; without a limit the search for doubled keys would be quadratic in a line of garbage.
constexpr std::size_t max_keys = 64;

/// Fills a JsonLine from the parser's events. The parser's own tree would lose doubled keys and how a number
/// was written.
class LineBuilder {
 public:
  explicit LineBuilder(JsonLine& line) : line_(line) {}

  // NOLINTBEGIN: names are the parser's.
  bool null() { return value({}); }
  bool boolean(bool) { return value(of(Kind::boolean)); }
  bool number_integer(std::int64_t n) {
    JsonValue v = of(n < 0 ? Kind::negative : Kind::whole);
    v.negative = n;
    v.whole = n < 0 ? 0 : static_cast<std::uint64_t>(n);
    return value(std::move(v));
  }
  bool number_unsigned(std::uint64_t n) {
    JsonValue v = of(Kind::whole);
    v.whole = n;
    return value(std::move(v));
  }
  bool number_float(double n, const std::string& text) {
    JsonValue v = of(Kind::real);
    v.real = n;
    v.text = text;
    return value(std::move(v));
  }
  bool string(std::string& text) {
    JsonValue v = of(Kind::string);
    v.text = std::move(text);
    return value(std::move(v));
  }
  bool binary(std::vector<std::uint8_t>&) { return false; }
  bool start_object(std::size_t) {
    ++depth_;
    return depth_ == 1 || open(Kind::object);
  }
  bool key(std::string& text) {
    if (depth_ != 1) return true;
    doubled_ = line_.find(text) != nullptr;
    if (doubled_) {
      line_.doubled.push_back(text);
    } else {
      line_.fields.push_back({std::move(text), {}});
    }
    if (line_.fields.size() + line_.doubled.size() > max_keys) {
      line_.error = fmt::format("holds more than {} keys", max_keys);
      return false;
    }
    return true;
  }
  bool end_object() {
    --depth_;
    return true;
  }
  bool start_array(std::size_t) {
    ++depth_;
    return open(Kind::array);
  }
  bool end_array() {
    --depth_;
    return true;
  }
  bool parse_error(std::size_t column, const std::string&, const nlohmann::json::exception& error) {
    const std::string what = error.what();
    line_.cut_off = what.find("unexpected end of input") != std::string::npos ||
                    what.find("missing closing quote") != std::string::npos;
    // "[json.exception...] parse error at line 1, column 5: syntax error while ...": the rest is for people.
    const std::string mark = fmt::format("column {}: ", column);
    const std::size_t at = what.find(mark);
    const std::size_t rest = at == std::string::npos ? what.rfind("] ") : at + mark.size() - 2;
    line_.error = fmt::format("is not JSON at column {}: {}", column,
                              rest == std::string::npos ? what : what.substr(rest + 2));
    return false;
  }
  // NOLINTEND

 private:
  static JsonValue of(Kind kind) {
    JsonValue v;
    v.kind = kind;
    return v;
  }

  bool not_an_object() {
    line_.error = "is not a JSON object {...}";
    return false;
  }

  bool value(JsonValue v) {
    if (depth_ == 0) return not_an_object();
    if (doubled_) return true;
    JsonValue& field = line_.fields.back().value;
    if (depth_ == 1) {
      field = std::move(v);
    } else if (depth_ == 2 && field.kind == Kind::array) {
      field.items.push_back(std::move(v));
    }
    return true;
  }

  /// An array or object opens as a value; depth_ counts it already.
  bool open(Kind kind) {
    if (depth_ == 1) return not_an_object();
    --depth_;
    value(of(kind));
    ++depth_;
    return true;
  }

  JsonLine& line_;
  std::size_t depth_ = 0;
  bool doubled_ = false;  ///< the value at hand belongs to a doubled key
};

}  // namespace

std::string_view describe(JsonValue::Kind kind) {
  switch (kind) {
    case Kind::null:
      return "null";
    case Kind::boolean:
      return "a truth value";
    case Kind::whole:
      return "a number";
    case Kind::negative:
      return "a negative number";
    case Kind::real:
      return "a number with a fraction or an exponent";
    case Kind::string:
      return "a string";
    case Kind::array:
      return "an array";
    case Kind::object:
      return "an object";
  }
  return "a value";
}

const JsonValue* JsonLine::find(std::string_view key) const {
  const auto field = std::find_if(fields.begin(), fields.end(), [&](const Field& f) { return f.key == key; });
  return field == fields.end() ? nullptr : &field->value;
}

JsonLine parse_json_line(const std::string& text) {
  JsonLine line;
  LineBuilder builder(line);
  nlohmann::json::sax_parse(text, &builder);
  return line;
}

}  // namespace fredsim::trace
