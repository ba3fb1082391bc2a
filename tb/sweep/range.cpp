#include "tb/sweep/range.h"

#include <fmt/format.h>

#include <cmath>

#include "hw/core/error.h"
#include "hw/core/quantity.h"
#include "tb/configuration/value_text.h"

namespace fredsim::tb {
namespace {

constexpr std::size_t most_values = 10'000;

/// In the smallest unit. A long double holds every value that a parameter can have exactly.
long double parsed(ValueType type, const std::string& text) {
  switch (type) {
    case ValueType::time:
      return static_cast<long double>(hw::parse_time(text).fs());
    case ValueType::bytes:
    case ValueType::capacity:
      return static_cast<long double>(hw::parse_bytes(text));
    case ValueType::bandwidth:
      return static_cast<long double>(hw::parse_bandwidth(text).bits_per_second());
    case ValueType::integer:
      return static_cast<long double>(parse_integer(text));
    case ValueType::real:
      return static_cast<long double>(parse_real(text));
    default:
      throw hw::InputError(
          fmt::format("a range needs numbers, and the values are of type {}: write a list", to_string(type)));
  }
}

std::string printed(ValueType type, long double value) {
  if (type == ValueType::real) return fmt::format("{:.12g}", static_cast<double>(value));
  const auto whole = static_cast<std::uint64_t>(std::round(value));
  switch (type) {
    case ValueType::time:
      return hw::to_string(hw::Time::fs(static_cast<std::int64_t>(whole)));
    case ValueType::bandwidth:
      return hw::to_string(hw::Bandwidth::bits_per_second(whole));
    case ValueType::integer:
      return std::to_string(whole);
    default:
      return hw::bytes_to_string(whole);
  }
}

[[noreturn]] void too_many() {
  throw hw::InputError(fmt::format("the range has more than {} values", most_values));
}

std::vector<long double> stepped(ValueType type, const Range& range, long double from, long double to) {
  const long double step = parsed(type, *range.step);
  if (!(step > 0)) throw hw::InputError("step: 0 leads nowhere; allowed: above 0");
  // The last real value may miss `to` by the rounding of its step.
  const long double slack = type == ValueType::real ? step * 1e-9L : 0;
  std::vector<long double> values;
  for (std::size_t k = 0; from + static_cast<long double>(k) * step <= to + slack; ++k) {
    if (k == most_values) too_many();
    values.push_back(from + static_cast<long double>(k) * step);
  }
  return values;
}

std::vector<long double> multiplied(const Range& range, long double from, long double to) {
  const long double factor = parse_real(*range.factor);
  if (!(factor > 1)) throw hw::InputError("factor: allowed: above 1");
  if (!(from > 0)) throw hw::InputError("from: a factor leads nowhere from 0; allowed: above 0");
  std::vector<long double> values;
  for (std::size_t k = 0;; ++k) {
    const long double value = from * std::pow(factor, static_cast<long double>(k));
    if (value > to * (1 + 1e-12L)) return values;
    if (k == most_values) too_many();
    values.push_back(value);
  }
}

std::vector<long double> spread(const Range& range, long double from, long double to) {
  const std::uint64_t points = parse_integer(*range.points);
  if (points < 2) throw hw::InputError("points: allowed: 2 or more");
  if (points > most_values) too_many();
  if (range.logarithmic && !(from > 0)) throw hw::InputError("from: scale: log has no 0; allowed: above 0");
  std::vector<long double> values;
  for (std::uint64_t k = 0; k < points; ++k) {
    const long double share = static_cast<long double>(k) / static_cast<long double>(points - 1);
    values.push_back(range.logarithmic ? from * std::pow(to / from, share) : from + (to - from) * share);
  }
  return values;
}

}  // namespace

std::vector<std::string> range_values(ValueType type, const Range& range) {
  const long double from = parsed(type, range.from);
  const long double to = parsed(type, range.to);
  if (!(from < to)) throw hw::InputError("the range does not ascend: from is not below to");
  const std::vector<long double> values = range.step     ? stepped(type, range, from, to)
                                          : range.factor ? multiplied(range, from, to)
                                                         : spread(range, from, to);
  std::vector<std::string> texts;
  for (const long double value : values) {
    texts.push_back(printed(type, value));
    if (texts.size() > 1 && texts[texts.size() - 2] == texts.back()) {
      throw hw::InputError(fmt::format("two of the values round to {}; ask for fewer", texts.back()));
    }
  }
  return texts;
}

}  // namespace fredsim::tb
