#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace fredsim::tb {

/// `text` in double quotes as a message can show it: control characters and broken bytes escaped, long texts
/// cut.
std::string in_quotes(std::string_view text);

/// A whole number in decimal digits. Throws InputError, without a place, for anything else: signs, fractions,
/// exponents, units, more than 64 bits.
std::uint64_t parse_integer(std::string_view text);

/// A finite decimal number (digits, one point, an exponent). Throws InputError, without a place, for anything
/// else.
double parse_real(std::string_view text);

/// `true` or `false`. Throws InputError, without a place, for anything else.
bool parse_boolean(std::string_view text);

/// The shortest text that parses to the same number, with an exponent that is a multiple of three
/// ("989.4e12").
std::string real_to_string(double value);

}  // namespace fredsim::tb
