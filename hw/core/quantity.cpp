#include "hw/core/quantity.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <vector>

#include "hw/core/error.h"
#include "hw/core/nearest.h"

namespace fredsim::hw {
namespace {

__extension__ typedef unsigned __int128 Uint128;

/// A unit as written, and how many of the smallest unit it is.
struct Unit {
  std::string name;
  std::uint64_t factor;
};

constexpr std::uint64_t kilo = 1000, mega = kilo * kilo, giga = kilo * mega, tera = kilo * giga;
constexpr std::uint64_t kibi = 1024, mebi = kibi * kibi, gibi = kibi * mebi, tebi = kibi * gibi;
constexpr std::uint64_t femtoseconds_per_second = kilo * tera;

// Every list ascends, so that printing can walk it from the smallest unit up.
const std::vector<Unit>& time_units() {
  static const std::vector<Unit> units = {{"fs", 1},    {"ps", kilo}, {"ns", mega},
                                          {"us", giga}, {"ms", tera}, {"s", femtoseconds_per_second}};
  return units;
}

const std::vector<Unit>& byte_units() {
  static const std::vector<Unit> units = {{"B", 1},      {"KB", kilo},  {"KiB", kibi},
                                          {"MB", mega},  {"MiB", mebi}, {"GB", giga},
                                          {"GiB", gibi}, {"TB", tera},  {"TiB", tebi}};
  return units;
}

const std::vector<Unit>& bit_rate_units() {
  static const std::vector<Unit> units = {
      {"b/s", 1}, {"Kb/s", kilo}, {"Mb/s", mega}, {"Gb/s", giga}, {"Tb/s", tera}};
  return units;
}

/// In bits per second.
const std::vector<Unit>& rate_units() {
  static const std::vector<Unit> units = [] {
    std::vector<Unit> all;
    for (const Unit& u : byte_units()) all.push_back({u.name + "/s", u.factor * 8});
    all.insert(all.end(), bit_rate_units().begin(), bit_rate_units().end());
    return all;
  }();
  return units;
}

/// What a message says about one kind of quantity.
struct Kind {
  const char* name;
  const char* smallest;  ///< the smallest unit, in plural
  const char* example;
  const std::vector<Unit>& units;
  std::uint64_t largest;  ///< in the smallest unit
};

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}
bool is_blank(char c) {
  return c == ' ' || c == '\t';
}

std::string_view trim(std::string_view text) {
  while (!text.empty() && is_blank(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_blank(text.back())) text.remove_suffix(1);
  return text;
}

std::vector<std::string> names_of(const std::vector<Unit>& units) {
  std::vector<std::string> names;
  for (const Unit& u : units) names.push_back(u.name);
  return names;
}

[[noreturn]] void fail(std::string_view text, const std::string& what) {
  throw InputError(fmt::format("'{}' {}", text, what));
}

std::string allowed(const Kind& kind) {
  return fmt::format("a {} is a number and a unit ({}), for example {}", kind.name,
                     fmt::join(names_of(kind.units), ", "), kind.example);
}

/// A decimal number as written: its digits without a point, and the power of ten they are multiplied by.
struct Decimal {
  std::vector<std::uint8_t> digits;
  std::int64_t exponent = 0;
};

/// Takes a decimal number off the front of `text`; nothing when there is none.
std::optional<Decimal> take_decimal(std::string_view& text) {
  Decimal decimal;
  std::size_t i = 0;
  for (bool point = false; i < text.size(); ++i) {
    if (text[i] == '.' && !point) {
      point = true;
    } else if (is_digit(text[i])) {
      decimal.digits.push_back(static_cast<std::uint8_t>(text[i] - '0'));
      if (point) --decimal.exponent;
    } else {
      break;
    }
  }
  if (decimal.digits.empty()) return std::nullopt;

  // An e that no digits follow belongs to the unit.
  if (i < text.size() && (text[i] == 'e' || text[i] == 'E')) {
    std::size_t j = i + 1;
    const bool negative = j < text.size() && text[j] == '-';
    if (j < text.size() && (text[j] == '-' || text[j] == '+')) ++j;
    if (j < text.size() && is_digit(text[j])) {
      constexpr std::int64_t huge = 1'000'000'000;  // far outside every range, and safe to add to
      std::int64_t written = 0;
      for (; j < text.size() && is_digit(text[j]); ++j)
        written = std::min(written * 10 + (text[j] - '0'), huge);
      decimal.exponent += negative ? -written : written;
      i = j;
    }
  }
  text.remove_prefix(i);
  return decimal;
}

/// `decimal` times `factor`, in decimal digits: exact for any number of them. The factor is below 2^60, so
/// that a digit's product and the carry fit 64 bits.
Decimal multiply(const Decimal& decimal, std::uint64_t factor) {
  Decimal product;
  product.exponent = decimal.exponent;
  std::uint64_t carry = 0;
  for (auto digit = decimal.digits.rbegin(); digit != decimal.digits.rend() || carry != 0;) {
    if (digit != decimal.digits.rend()) carry += *digit++ * factor;
    product.digits.push_back(static_cast<std::uint8_t>(carry % 10));
    carry /= 10;
  }
  std::reverse(product.digits.begin(), product.digits.end());
  return product;
}

enum class Whole { yes, fraction, too_large };

/// The integer that `decimal` is, up to `largest`.
Whole to_integer(const Decimal& decimal, std::uint64_t largest, std::uint64_t& value) {
  const auto count = static_cast<std::int64_t>(decimal.digits.size());
  const std::int64_t whole_digits = count + decimal.exponent;  // the rest lies behind the point
  for (std::int64_t i = std::max<std::int64_t>(whole_digits, 0); i < count; ++i) {
    if (decimal.digits[static_cast<std::size_t>(i)] != 0) return Whole::fraction;
  }
  value = 0;
  for (std::int64_t i = 0; i < whole_digits; ++i) {
    if (i >= count && value == 0) return Whole::yes;
    const std::uint64_t digit = i < count ? decimal.digits[static_cast<std::size_t>(i)] : 0;
    if (value > (largest - digit) / 10) return Whole::too_large;
    value = value * 10 + digit;
  }
  return Whole::yes;
}

/// Rewrites a common foreign spelling of a unit, for the suggestion only.
std::string familiar(std::string_view unit) {
  struct Spelling {
    std::string_view ending, ours;
  };
  constexpr Spelling spellings[] = {
      {"bps", "b/s"},     {"Bps", "B/s"}, {"bit/s", "b/s"}, {"bits/s", "b/s"}, {"byte/s", "B/s"},
      {"bytes/s", "B/s"}, {"bytes", "B"}, {"byte", "B"},    {"Bytes", "B"},    {"\u00b5s", "us"},
      {"\u03bcs", "us"},  {"sec", "s"},   {"second", "s"},  {"seconds", "s"},  {"nsec", "ns"},
      {"Ki", "KiB"},      {"Mi", "MiB"},  {"Gi", "GiB"}};
  for (const Spelling& s : spellings) {
    if (unit.size() >= s.ending.size() && unit.substr(unit.size() - s.ending.size()) == s.ending) {
      return std::string(unit.substr(0, unit.size() - s.ending.size())) + std::string(s.ours);
    }
  }
  return std::string(unit);
}

/// `written` as a message shows it: long input and control characters would hide the message.
std::string shown(std::string_view written) {
  constexpr std::size_t longest = 60;
  std::string result(written.substr(0, longest));
  for (char& c : result) {
    if (static_cast<unsigned char>(c) < ' ' || c == 0x7f) c = '?';
  }
  return written.size() > longest ? result + "..." : result;
}

std::uint64_t parse(std::string_view written, const Kind& kind) {
  const std::string quoted = shown(written);
  std::string_view text = trim(written);
  if (text.empty()) fail(quoted, "is empty: " + allowed(kind));
  if (text.front() == '-') fail(quoted, fmt::format("is negative; {}", allowed(kind)));
  const std::optional<Decimal> number = take_decimal(text);
  if (!number) fail(quoted, "does not begin with a number: " + allowed(kind));
  const std::string_view name = trim(text);
  if (name.empty()) fail(quoted, "has no unit: " + allowed(kind));
  const auto unit =
      std::find_if(kind.units.begin(), kind.units.end(), [&](const Unit& u) { return u.name == name; });
  if (unit == kind.units.end()) {
    fail(quoted, fmt::format("has the unknown unit '{}'{}: {}", shown(name),
                             did_you_mean(familiar(name), names_of(kind.units)), allowed(kind)));
  }
  std::uint64_t value = 0;
  switch (to_integer(multiply(*number, unit->factor), kind.largest, value)) {
    case Whole::yes:
      break;
    case Whole::fraction:
      fail(quoted, fmt::format("is not a whole number of {}", kind.smallest));
    case Whole::too_large:
      fail(quoted,
           fmt::format("is too large: the largest {} is {} {}", kind.name, kind.largest, kind.smallest));
  }
  return value;
}

/// `value` of the smallest unit as a number of `unit`, exactly, with as many decimals as it takes up to
/// `most`; nothing when that is not enough or the number would be below 1.
std::optional<std::string> number_in(std::uint64_t value, const Unit& unit, int most) {
  if (value < unit.factor) return std::nullopt;
  std::string text = std::to_string(value / unit.factor);
  std::uint64_t rest = value % unit.factor;
  if (rest == 0) return text;
  text += '.';
  for (int i = 0; i < most && rest != 0; ++i) {
    rest *= 10;
    text += static_cast<char>('0' + rest / unit.factor);
    rest %= unit.factor;
  }
  return rest == 0 ? std::optional<std::string>(text) : std::nullopt;
}

/// The shortest number with at most three decimals; of equals the larger unit (3.75 TB, not 3750 GB), but
/// 4090 B.
std::string shortest(std::uint64_t value, const std::vector<Unit>& units, std::string_view suffix = "") {
  std::string number = std::to_string(value);
  const Unit* best = &units.front();
  for (const Unit& u : units) {
    const std::optional<std::string> candidate = number_in(value, u, 3);
    if (!candidate) continue;
    const bool equal = candidate->size() == number.size() && best != &units.front();
    if (equal || candidate->size() < number.size()) {
      number = *candidate;
      best = &u;
    }
  }
  return fmt::format("{} {}{}", number, best->name, suffix);
}

// Functions, not globals: quantities are parsed by the initializers of other files' globals, too.
const Kind& time_kind() {
  static const Kind kind = {"time", "femtoseconds", "3.3 ns", time_units(),
                            static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max())};
  return kind;
}

const Kind& byte_kind() {
  // The largest 64-bit number stands for an unlimited Capacity.
  static const Kind kind = {"size", "bytes", "24 KiB", byte_units(), Capacity::unlimited().bytes() - 1};
  return kind;
}

const Kind& rate_kind() {
  static const Kind kind = {"bandwidth", "bits per second", "3 TB/s", rate_units(),
                            std::numeric_limits<std::uint64_t>::max()};
  return kind;
}

}  // namespace

void Time::overflow(const char* operation) {
  throw InputError(
      fmt::format("{} (in '{}'): the times, sizes or bandwidths given are too far from each other",
                  time_out_of_range, operation));
}

Bandwidth Bandwidth::overflow() {
  throw InputError("a bandwidth is above 2^61 bytes per second");
}

Time Bandwidth::time_for(std::uint64_t bytes) const {
  if (bits_per_second_ == 0) throw InternalError("a transfer over a link without a bandwidth");
  const Uint128 bit_femtoseconds = Uint128{bytes} * 8 * femtoseconds_per_second;  // below 2^117
  const Uint128 time = (bit_femtoseconds + bits_per_second_ - 1) / bits_per_second_;
  if (time > Uint128{time_kind().largest}) {
    throw InputError(fmt::format("{} at {} take longer than a simulated time can be (9223 s)",
                                 bytes_to_string(bytes), to_string(*this)));
  }
  return Time::fs(static_cast<std::int64_t>(time));
}

Time parse_time(std::string_view text) {
  return Time::fs(static_cast<std::int64_t>(parse(text, time_kind())));
}

std::uint64_t parse_bytes(std::string_view text) {
  return parse(text, byte_kind());
}

Bandwidth parse_bandwidth(std::string_view text) {
  const std::uint64_t rate = parse(text, rate_kind());
  if (rate == 0) fail(shown(text), "is zero: a link with a bandwidth of zero moves nothing");
  return Bandwidth::bits_per_second(rate);
}

Capacity parse_capacity(std::string_view text) {
  if (trim(text) == "unlimited") return Capacity::unlimited();
  try {
    return Capacity::bytes(parse_bytes(text));
  } catch (const InputError& error) {
    throw InputError(fmt::format("{}, or 'unlimited'", error.what()));
  }
}

std::string to_string(Time time) {
  const bool negative = time.fs() < 0;
  const auto bits = static_cast<std::uint64_t>(time.fs());
  const std::uint64_t magnitude = negative ? 0 - bits : bits;
  std::string text = "0 s";
  for (const Unit& u : time_units()) {
    if (const auto number = number_in(magnitude, u, 15)) text = fmt::format("{} {}", *number, u.name);
  }
  return negative ? "-" + text : text;
}

std::string to_string(Bandwidth bandwidth) {
  const std::uint64_t bits = bandwidth.bits_per_second();
  const std::string in_bits = shortest(bits, bit_rate_units());
  if (bits % 8 != 0) return in_bits;
  const std::string in_bytes = shortest(bits / 8, byte_units(), "/s");
  // People give networks in bits and chips in bytes: 10 Gb/s rather than 1.25 GB/s, yet 1.5 TB/s.
  const bool fraction = in_bytes.find('.') != std::string::npos;
  return fraction && bits < 8 * tera && in_bits.size() < in_bytes.size() ? in_bits : in_bytes;
}

std::string to_string(Capacity capacity) {
  return capacity.is_unlimited() ? "unlimited" : bytes_to_string(capacity.bytes());
}

std::string bytes_to_string(std::uint64_t bytes) {
  return shortest(bytes, byte_units());
}

}  // namespace fredsim::hw
