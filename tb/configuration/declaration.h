#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "hw/core/error.h"
#include "hw/core/nearest.h"
#include "hw/core/quantity.h"
#include "tb/configuration/fault_script.h"
#include "tb/configuration/parameter.h"
#include "tb/configuration/value_text.h"

/// The words in which parameters.cpp declares parameters. A declaration knows the field of the configuration
/// it fills, and how texts become values of its type.
namespace fredsim::tb {

struct TimeText {
  static constexpr ValueType type = ValueType::time;
  static hw::Time parse(const std::string& text) { return hw::parse_time(text); }
  static std::string print(hw::Time value) { return hw::to_string(value); }
};
struct BytesText {
  static constexpr ValueType type = ValueType::bytes;
  static std::uint64_t parse(const std::string& text) { return hw::parse_bytes(text); }
  static std::string print(std::uint64_t value) { return hw::bytes_to_string(value); }
};
struct CapacityText {
  static constexpr ValueType type = ValueType::capacity;
  static hw::Capacity parse(const std::string& text) { return hw::parse_capacity(text); }
  static std::string print(hw::Capacity value) { return hw::to_string(value); }
};
struct BandwidthText {
  static constexpr ValueType type = ValueType::bandwidth;
  static hw::Bandwidth parse(const std::string& text) { return hw::parse_bandwidth(text); }
  static std::string print(hw::Bandwidth value) { return hw::to_string(value); }
};
/// A rate, or none that would limit anything: the rate 0.
struct BandwidthLimitText {
  static constexpr ValueType type = ValueType::bandwidth;
  static hw::Bandwidth parse(const std::string& text) {
    return text == "unlimited" ? hw::Bandwidth() : hw::parse_bandwidth(text);
  }
  static std::string print(hw::Bandwidth value) {
    return value == hw::Bandwidth() ? "unlimited" : hw::to_string(value);
  }
};
struct IntegerText {
  static constexpr ValueType type = ValueType::integer;
  static std::uint64_t parse(const std::string& text) { return parse_integer(text); }
  static std::string print(std::uint64_t value) { return std::to_string(value); }
};
struct RealText {
  static constexpr ValueType type = ValueType::real;
  static double parse(const std::string& text) { return parse_real(text); }
  static std::string print(double value) { return real_to_string(value); }
};
struct BooleanText {
  static constexpr ValueType type = ValueType::boolean;
  static bool parse(const std::string& text) { return parse_boolean(text); }
  static std::string print(bool value) { return value ? "true" : "false"; }
};

/// A word, taken as it is; not empty.
struct WordText {
  static constexpr ValueType type = ValueType::text;
  static std::string parse(const std::string& text) {
    if (text.empty()) throw hw::InputError("\"\" is empty");
    return text;
  }
  static std::string print(const std::string& value) { return value; }
};
struct FileText : WordText {
  static constexpr ValueType type = ValueType::file;
};
struct FaultScriptText {
  static constexpr ValueType type = ValueType::faults;
  static std::vector<FaultEntry> parse(const std::string& text) {
    return parse_fault_script(text, "faults.script");
  }
  static std::string print(const std::vector<FaultEntry>& script) { return fault_script_text(script); }
};

/// The words for an enumeration's values, in the order of its enumerators.
template <class Enumeration>
const std::vector<std::string>& names_of();
template <>
const std::vector<std::string>& names_of<SystemKind>();
template <>
const std::vector<std::string>& names_of<Abstraction>();
template <>
const std::vector<std::string>& names_of<RouteMiss>();
template <>
const std::vector<std::string>& names_of<ConflictPolicy>();
template <>
const std::vector<std::string>& names_of<AlgorithmChoice>();
template <>
const std::vector<std::string>& names_of<Reliability>();
template <>
const std::vector<std::string>& names_of<hw::PatternKind>();
template <>
const std::vector<std::string>& names_of<hw::DType>();
template <>
const std::vector<std::string>& names_of<agg::Contention>();
template <>
const std::vector<std::string>& names_of<agg::Start>();
template <>
const std::vector<std::string>& names_of<agg::Organization>();
template <>
const std::vector<std::string>& names_of<agg::Accumulator>();
template <>
const std::vector<std::string>& names_of<WanMode>();
template <>
const std::vector<std::string>& names_of<FpgaMemory>();
template <>
const std::vector<std::string>& names_of<AggregatorPolicy>();
template <>
const std::vector<std::string>& names_of<TimeoutAction>();

template <class Enumeration>
struct EnumerationText {
  static constexpr ValueType type = ValueType::enumeration;
  static Enumeration parse(const std::string& text) {
    const auto& names = names_of<Enumeration>();
    const auto found = std::find(names.begin(), names.end(), text);
    if (found != names.end()) return static_cast<Enumeration>(found - names.begin());
    throw hw::InputError(in_quotes(text) + " is not available" + hw::did_you_mean(text, names));
  }
  static std::string print(Enumeration value) {
    return names_of<Enumeration>()[static_cast<std::size_t>(value)];
  }
};

template <class Value>
bool below(const Value& a, const Value& b) {
  return a < b;
}
inline bool below(hw::Capacity a, hw::Capacity b) {
  return a.bytes() < b.bytes();
}
inline bool below(const std::optional<hw::Capacity>& a, const std::optional<hw::Capacity>& b) {
  return a && b && below(*a, *b);
}

/// A text of a family as it is at a level: "link.lK.latency" becomes "link.l3.latency".
inline std::string at_level(std::string text, std::uint32_t level) {
  if (const std::size_t at = text.find("lK"); at != std::string::npos) {
    text.replace(at, 2, "l" + std::to_string(level));
  }
  return text;
}

/// `Field` is called with a Configuration, that of a family with the level too, and returns a reference to
/// the value in it.
template <class Text, class Field>
class Declaration {
 public:
  Declaration(std::string key, Field field) : field_(std::move(field)) {
    parameter_.key = std::move(key);
    parameter_.type = Text::type;
    if constexpr (Text::type == ValueType::enumeration) {
      parameter_.choices = names_of<decltype(Text::parse(std::string()))>();
    }
  }

  Declaration& unit(std::string unit) { return set(parameter_.unit, std::move(unit)); }
  Declaration& defaults_to(std::string text) { return set(parameter_.default_text, std::move(text)); }
  Declaration& defaults_from(std::string key) { return set(parameter_.default_from, std::move(key)); }
  /// `words` say how `choose` chooses among parameters.
  Declaration& defaults_from(std::string words, std::function<std::string(const Configuration&)> choose) {
    parameter_.choose_default = std::move(choose);
    return set(parameter_.default_from, std::move(words));
  }
  template <class... Kinds>
  Declaration& only_in(Kinds... systems) {
    parameter_.only_in = {systems...};
    return *this;
  }
  /// `otherwise` goes on "has no effect ".
  Declaration& only_if(std::function<bool(const Configuration&)> holds, const std::string& otherwise) {
    parameter_.only_if = std::move(holds);
    return set(parameter_.otherwise, "has no effect " + otherwise);
  }
  /// A family, with a member for each of these levels that a tree has, which needs `above` levels more.
  Declaration& levels(std::uint32_t first, std::uint32_t last, std::uint32_t above = 0) {
    parameter_.first_level = first;
    parameter_.last_level = last;
    above_ = above;
    return *this;
  }
  Declaration& required() {
    parameter_.required = true;
    return *this;
  }
  Declaration& range(std::string minimum, std::string maximum) {
    set(parameter_.minimum, std::move(minimum));
    return set(parameter_.maximum, std::move(maximum));
  }
  Declaration& requires_that(std::string words) { return set(parameter_.requirement, std::move(words)); }
  Declaration& means(std::string sentence) { return set(parameter_.meaning, std::move(sentence)); }
  Declaration& source(std::string words) { return set(parameter_.source, std::move(words)); }

  operator Parameter() const {
    if constexpr (std::is_invocable_v<Field, Configuration&, std::uint32_t>) {
      Parameter family = parameter_;
      family.member = [of = *this](std::uint32_t level) {
        Parameter member =
            of.with([ field = of.field_, level ](auto& c) -> auto& { return field(c, level); });
        member.family = member.key;
        member.key = at_level(member.key, level);
        member.level = level;
        member.levels_needed = level + of.above_;
        member.first_level = member.last_level = 0;
        return member;
      };
      return family;
    } else {
      return with(field_);
    }
  }

 private:
  Declaration& set(std::string& member, std::string value) {
    member = std::move(value);
    return *this;
  }

  /// The parameter that fills the field which `field` finds.
  template <class Found>
  Parameter with(Found field) const {
    using Value = decltype(Text::parse(std::string()));
    std::optional<std::pair<Value, Value>> range;
    if (!parameter_.minimum.empty())
      range.emplace(Text::parse(parameter_.minimum), Text::parse(parameter_.maximum));
    Parameter result = parameter_;
    result.assign = [field, range](Configuration& configuration, const std::string& text) {
      const Value value = Text::parse(text);
      if constexpr (Text::type != ValueType::faults) {
        if (range && (below(value, range->first) || below(range->second, value))) {
          throw hw::InputError(in_quotes(text) + " is out of range");
        }
      }
      auto& target = field(configuration);
      target = static_cast<std::decay_t<decltype(target)>>(value);
    };
    result.print = [field](const Configuration& configuration) { return Text::print(field(configuration)); };
    return result;
  }

  Parameter parameter_;
  Field field_;
  std::uint32_t above_ = 0;
};

template <class Field>
auto time(std::string key, Field field) {
  return Declaration<TimeText, Field>(std::move(key), std::move(field));
}
template <class Field>
auto bytes(std::string key, Field field) {
  return Declaration<BytesText, Field>(std::move(key), std::move(field));
}
template <class Field>
auto capacity(std::string key, Field field) {
  return Declaration<CapacityText, Field>(std::move(key), std::move(field));
}
template <class Field>
auto bandwidth(std::string key, Field field) {
  return Declaration<BandwidthText, Field>(std::move(key), std::move(field));
}
template <class Field>
auto bandwidth_limit(std::string key, Field field) {
  return Declaration<BandwidthLimitText, Field>(std::move(key), std::move(field));
}
template <class Field>
auto integer(std::string key, Field field) {
  return Declaration<IntegerText, Field>(std::move(key), std::move(field));
}
template <class Field>
auto real(std::string key, Field field) {
  return Declaration<RealText, Field>(std::move(key), std::move(field));
}
template <class Field>
auto word(std::string key, Field field) {
  return Declaration<WordText, Field>(std::move(key), std::move(field));
}
template <class Field>
auto file(std::string key, Field field) {
  return Declaration<FileText, Field>(std::move(key), std::move(field));
}
template <class Field>
auto boolean(std::string key, Field field) {
  return Declaration<BooleanText, Field>(std::move(key), std::move(field));
}
template <class Field>
auto fault_script(std::string key, Field field) {
  return Declaration<FaultScriptText, Field>(std::move(key), std::move(field));
}
template <class Field>
auto enumeration(std::string key, Field field) {
  using Enumeration = std::decay_t<decltype(field(std::declval<Configuration&>()))>;
  return Declaration<EnumerationText<Enumeration>, Field>(std::move(key), std::move(field));
}

}  // namespace fredsim::tb
