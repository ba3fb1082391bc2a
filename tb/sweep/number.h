#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "tb/configuration/parameter.h"

namespace fredsim::tb {

/// The value of a parameter of this type as a number: bytes, ns, bytes per second, the number itself, 0 or 1
/// for a boolean. Nothing for words and `unlimited`. `text` is a value that the parameter takes.
std::optional<double> number_of(ValueType type, const std::string& text);

/// What such a number is called by, behind the parameter's key: "_bytes", "_ns", "_bytes_per_s"; empty for
/// what has no unit.
std::string_view suffix_of(ValueType type);

/// The number that a text means beside the name of a parameter or of a result, as one of `NAME_ns`: "10 us"
/// is 10000, and for a result so is "10000". Throws InputError, without a place, for no number or a unit that
/// the name does not have.
double number_for(const std::string& name, const std::string& text);

}  // namespace fredsim::tb
