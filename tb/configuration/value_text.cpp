#include "tb/configuration/value_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <boost/locale/utf.hpp>
#include <charconv>
#include <cmath>
#include <system_error>

#include "hw/core/error.h"

namespace fredsim::tb {
namespace {

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

bool all_digits(std::string_view text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), is_digit);
}

/// What `text` is instead of a number, for a message about it.
[[noreturn]] void not_a_number(std::string_view text, const char* due) {
  double number = 0;
  const char* begin = text.data();
  const char* end = begin + text.size();
  const auto [rest, error] = std::from_chars(begin, end, number);
  const bool starts_with_number =
      error != std::errc::invalid_argument && rest != begin && std::isfinite(number);
  if (starts_with_number && rest != end) {
    throw hw::InputError(
        fmt::format("{} is not {}; it takes no unit and no other text", in_quotes(text), due));
  }
  throw hw::InputError(fmt::format("{} is not {}", in_quotes(text), due));
}

}  // namespace

std::string in_quotes(std::string_view text) {
  using Utf8 = boost::locale::utf::utf_traits<char>;
  constexpr std::ptrdiff_t longest = 60;
  std::string shown;
  for (auto at = text.begin(); at != text.end();) {
    if (at - text.begin() >= longest) {
      shown += "...";
      break;
    }
    const auto start = at;
    const auto character = Utf8::decode(at, text.end());
    const bool broken =
        character == boost::locale::utf::illegal || character == boost::locale::utf::incomplete;
    if (broken || character < 0x20 || (character >= 0x7f && character < 0xa0)) {
      at = start + 1;
      shown += fmt::format("\\x{:02x}", static_cast<unsigned char>(*start));
    } else {
      shown.append(start, at);
    }
  }
  return "'" + shown + "'";
}

std::uint64_t parse_integer(std::string_view text) {
  if (text.size() > 1 && text.front() == '-' && all_digits(text.substr(1))) {
    throw hw::InputError(fmt::format("{} is negative", in_quotes(text)));
  }
  if (!all_digits(text)) not_a_number(text, "a whole number in decimal digits");
  std::uint64_t value = 0;
  const auto result = std::from_chars(text.data(), text.data() + text.size(), value);
  if (result.ec == std::errc::result_out_of_range) throw hw::InputError(in_quotes(text) + " is too large");
  return value;
}

double parse_real(std::string_view text) {
  double value = 0;
  const char* end = text.data() + text.size();
  const auto result = std::from_chars(text.data(), end, value);
  if (result.ec == std::errc::result_out_of_range && result.ptr == end) {
    throw hw::InputError(in_quotes(text) + " is too large or too small");
  }
  if (result.ec != std::errc() || result.ptr != end || !std::isfinite(value)) not_a_number(text, "a number");
  return value;
}

bool parse_boolean(std::string_view text) {
  if (text == "true") return true;
  if (text == "false") return false;
  throw hw::InputError(in_quotes(text) + " is neither true nor false");
}

std::string real_to_string(double value) {
  std::string shortest = fmt::format("{}", value);
  const double magnitude = std::abs(value);
  if (magnitude < 1e3 || !std::isfinite(value)) return shortest;
  const int exponent = static_cast<int>(std::floor(std::log10(magnitude) / 3)) * 3;
  std::string scaled = fmt::format("{}e{}", value / std::pow(10.0, exponent), exponent);
  double read_back = 0;
  std::from_chars(scaled.data(), scaled.data() + scaled.size(), read_back);
  return read_back == value && scaled.size() < shortest.size() ? scaled : shortest;
}

}  // namespace fredsim::tb
