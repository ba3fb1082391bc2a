#pragma once

#include <optional>
#include <string>
#include <vector>

#include "tb/configuration/parameter.h"

namespace fredsim::tb {

/// Values from one to another, as a sweep file says it: each text is a value of the parameter, but for
/// `factor`, a number, and `points`, a whole number. One of step, factor and points is given.
struct Range {
  std::string from;
  std::string to;
  std::optional<std::string> step;    ///< from, from + step, ... up to `to`
  std::optional<std::string> factor;  ///< from, from x factor, ... up to `to`
  std::optional<std::string> points;  ///< so many, both ends included, evenly or by `logarithmic`
  bool logarithmic = false;           ///< `points` at equal ratios
};

/// The values as texts, ascending. What does not come out whole in the smallest unit (1 fs, 1 byte, 1 bit/s,
/// 1) is rounded to it; reals are rounded to twelve digits. Throws InputError, without a place, for a type
/// that has no numbers, texts that are no values, a range that does not ascend, more than 10000 values, and
/// neighbours that round to the same value.
std::vector<std::string> range_values(ValueType type, const Range& range);

}  // namespace fredsim::tb
