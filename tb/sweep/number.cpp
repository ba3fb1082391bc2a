#include "tb/sweep/number.h"

#include <fmt/format.h>

#include <charconv>

#include "hw/core/error.h"
#include "hw/core/quantity.h"
#include "tb/configuration/value_text.h"

namespace fredsim::tb {
namespace {

bool ends_with(const std::string& text, std::string_view end) {
  return text.size() >= end.size() && text.compare(text.size() - end.size(), end.size(), end) == 0;
}

}  // namespace

std::optional<double> number_of(ValueType type, const std::string& text) {
  try {
    switch (type) {
      case ValueType::time:
        return hw::parse_time(text).ns();
      case ValueType::bytes:
      case ValueType::capacity:
        return static_cast<double>(hw::parse_bytes(text));
      case ValueType::bandwidth:
        return hw::parse_bandwidth(text).bytes_per_second();
      case ValueType::integer:
        return static_cast<double>(parse_integer(text));
      case ValueType::real:
        return parse_real(text);
      case ValueType::boolean:
        return parse_boolean(text) ? 1 : 0;
      case ValueType::enumeration:
      case ValueType::text:
      case ValueType::file:
      case ValueType::faults:
        break;
    }
  } catch (const hw::InputError&) {
    // A word that stands for no number, such as unlimited.
  }
  return std::nullopt;
}

std::string_view suffix_of(ValueType type) {
  switch (type) {
    case ValueType::time:
      return "_ns";
    case ValueType::bytes:
    case ValueType::capacity:
      return "_bytes";
    case ValueType::bandwidth:
      return "_bytes_per_s";
    default:
      return "";
  }
}

double number_for(const std::string& name, const std::string& text) {
  if (const Parameter* parameter = find_parameter(name)) {
    if (const std::optional<double> number = number_of(parameter->type, text)) return *number;
    throw hw::InputError(fmt::format("{} is no number that {} can be compared with; allowed: {}",
                                     in_quotes(text), name, allowed_text(*parameter)));
  }
  double bare = 0;
  const char* end = text.data() + text.size();
  if (const auto [rest, error] = std::from_chars(text.data(), end, bare); error == std::errc() && rest == end)
    return bare;
  if (ends_with(name, "_gbytes_per_s")) return hw::parse_bandwidth(text).bytes_per_second() * 1e-9;
  if (ends_with(name, "_bytes_per_s")) return hw::parse_bandwidth(text).bytes_per_second();
  if (ends_with(name, "_bytes")) return static_cast<double>(hw::parse_bytes(text));
  if (ends_with(name, "_ns")) return hw::parse_time(text).ns();
  throw hw::InputError(fmt::format("{} is no number, and {} has no unit", in_quotes(text), name));
}

}  // namespace fredsim::tb
