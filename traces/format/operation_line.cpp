#include "traces/format/operation_line.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <limits>
#include <optional>

#include "hw/core/error.h"
#include "hw/core/nearest.h"
#include "traces/format/check.h"
#include "traces/format/keys.h"

namespace fredsim::trace {
namespace {

using hw::OperationType;
using Kind = JsonValue::Kind;

/// Typed access to a line's values; whatever is wrong with them is collected.
class Values {
 public:
  Values(const JsonLine& line, std::vector<std::string>& problems) : line_(line), problems_(problems) {
    for (const std::string& key : line.doubled) complain("key \"{}\" is given twice", key);
  }

  /// Every value asked for was there, or not needed, and of the right kind.
  bool good() const { return good_; }

  template <class... Args>
  void complain(fmt::format_string<Args...> form, Args&&... args) {
    problems_.push_back(fmt::format(form, std::forward<Args>(args)...));
  }
  void spoil() { good_ = false; }
  template <class... Args>
  void spoil(fmt::format_string<Args...> form, Args&&... args) {
    good_ = false;
    complain(form, std::forward<Args>(args)...);
  }

  const JsonValue* find(std::string_view key) const { return line_.find(key); }

  std::optional<std::string> string(std::string_view key) {
    const JsonValue* value = find(key);
    if (!value) return std::nullopt;
    return text(key, *value);
  }

  std::optional<std::uint64_t> whole(std::string_view key, std::uint64_t low, std::uint64_t high) {
    const JsonValue* value = find(key);
    if (!value) return std::nullopt;
    return number(key, *value, low, high);
  }

  std::optional<std::int64_t> tag() {
    constexpr std::uint64_t high = std::numeric_limits<std::int64_t>::max();
    const JsonValue* value = find("tag");
    if (!value) return std::nullopt;
    if (value->kind == Kind::negative) return value->negative;
    if (const auto n = number("tag", *value, 0, high)) return static_cast<std::int64_t>(*n);
    return std::nullopt;
  }

  /// An array of NPUs, or of names.
  hw::Group npus() {
    hw::Group group;
    const JsonValue* value = array("npus");
    if (!value) return group;
    group.reserve(value->items.size());
    for (const JsonValue& item : value->items) {
      if (const auto npu = number("npus", item, 0, std::numeric_limits<std::uint32_t>::max())) {
        group.emplace_back(static_cast<std::uint32_t>(*npu));
      }
    }
    return group;
  }
  std::vector<std::string> names(std::string_view key) {
    std::vector<std::string> names;
    const JsonValue* value = array(key);
    if (!value) return names;
    for (const JsonValue& item : value->items) {
      if (auto name = text(key, item)) names.push_back(std::move(*name));
    }
    return names;
  }

 private:
  std::optional<std::string> text(std::string_view key, const JsonValue& value) {
    if (value.kind == Kind::string) return value.text;
    spoil("{} takes {}, this is {}", key,
          key == "after" || key == "after_all" ? "an array of ids" : "a string", describe(value.kind));
    return std::nullopt;
  }

  std::optional<std::uint64_t> number(std::string_view key, const JsonValue& value, std::uint64_t low,
                                      std::uint64_t high) {
    if (value.kind == Kind::whole && value.whole >= low && value.whole <= high) return value.whole;
    // A whole number beyond 64 bits reaches us as a real one.
    const bool huge =
        value.kind == Kind::real && value.text.find_first_not_of("0123456789") == std::string::npos;
    if (value.kind == Kind::whole || huge) {
      spoil("{} is {}, allowed are {} to {}", key, huge ? value.text : std::to_string(value.whole), low,
            high);
    } else {
      spoil("{} takes {}whole number from {} to {}, this is {}", key,
            key == "npus" ? "an array of NPUs, each a " : "a ", low, high, described(value));
    }
    return std::nullopt;
  }

  static std::string described(const JsonValue& value) {
    if (value.kind == Kind::negative) return fmt::format("negative ({})", value.negative);
    if (value.kind == Kind::real) return fmt::format("{} (with a fraction or an exponent)", value.text);
    return std::string(describe(value.kind));
  }

  const JsonValue* array(std::string_view key) {
    const JsonValue* value = find(key);
    if (!value || value->kind == Kind::array) return value;
    spoil("{} takes an array, this is {}", key, describe(value->kind));
    return nullptr;
  }

  const JsonLine& line_;
  std::vector<std::string>& problems_;
  bool good_ = true;
};

bool printable(std::string_view text) {
  return std::none_of(text.begin(), text.end(), [](unsigned char c) { return c < 0x20 || c == 0x7f; });
}

const std::vector<std::string>& class_names() {
  static const std::vector<std::string> names = {"mp", "pp", "dp"};
  return names;
}
const std::vector<std::string>& op_names() {
  static const std::vector<std::string> names = {"sum", "min", "max"};
  return names;
}
const std::vector<std::string>& dtype_names() {
  static const std::vector<std::string> names = {"fp16", "bf16", "fp32", "int32"};
  return names;
}

/// The value of a key that takes one of a few names; empty if the key is absent or the name unknown (a
/// complaint).
template <class Parse>
auto named(Values& values, const char* key, const std::vector<std::string>& known, Parse parse)
    -> decltype(parse(std::string_view())) {
  const auto word = values.string(key);
  if (!word) return std::nullopt;
  const auto value = parse(std::string_view(*word));
  if (!value) values.spoil("{}", unknown(key, *word, known));
  return value;
}

void read_compute(Values& values, hw::Operation& operation) {
  const JsonValue* ns = values.find("ns");
  const JsonValue* flops = values.find("flops");
  if (ns && flops) return values.spoil("gives both ns and flops; a compute takes one of the two");
  if (!ns && !flops) return values.spoil("gives neither ns nor flops; a compute takes one of the two");
  const JsonValue& value = ns ? *ns : *flops;
  if (value.kind != Kind::whole && value.kind != Kind::real) {
    return values.spoil("{} takes a number from 0 on, this is {}", ns ? "ns" : "flops", describe(value.kind));
  }
  if (flops) {
    operation.flops = value.kind == Kind::whole ? static_cast<double>(value.whole) : value.real;
    if (operation.flops < 0 || operation.flops > max_flops) {
      values.spoil("flops is {}, allowed are 0 to {}",
                   value.kind == Kind::whole ? std::to_string(value.whole) : value.text, max_flops);
    }
    return;
  }
  const std::string text = value.kind == Kind::whole ? std::to_string(value.whole) : value.text;
  try {
    operation.duration = hw::parse_time(text + " ns");
  } catch (const hw::InputError& error) {
    values.spoil("ns: {}", error.what());
  }
}

/// Keys that the type does not take, and keys it lacks. A key that was probably misspelt is reported once, as
/// that.
void check_keys(const JsonLine& line, OperationType type, Values& values) {
  const auto& known = operation_keys();
  std::vector<std::string> meant;
  for (const JsonLine::Field& field : line.fields) {
    if (std::find(known.begin(), known.end(), field.key) == known.end()) {
      values.complain("{}", unknown("key", field.key, known));
      meant.push_back(hw::nearest(field.key, known));
    } else if (need(type, field.key) == Need::not_taken) {
      values.complain("{} takes no key \"{}\"; it takes {}", hw::to_string(type), field.key,
                      taken_keys(type));
    }
  }
  for (const std::string& key : known) {
    if (need(type, key) != Need::required || line.find(key)) continue;
    if (std::find(meant.begin(), meant.end(), key) != meant.end()) {
      values.spoil();
    } else {
      values.spoil("the key \"{}\" is missing", key);
    }
  }
}

}  // namespace

OperationLine read_operation(const JsonLine& line) {
  OperationLine result;
  Values values(line, result.problems);
  hw::Operation& operation = result.operation;

  if (const auto id = values.string("id")) {
    operation.id = *id;
    if (id->empty()) values.spoil("id is empty");
    if (!printable(*id)) {
      values.spoil("id holds a control character");
      operation.id.clear();
    }
  }
  const auto type = named(values, "type", hw::operation_type_names(), hw::parse_operation_type);
  if (!type) {
    for (const char* key : {"id", "type"}) {
      if (!values.find(key)) values.spoil("the key \"{}\" is missing", key);
    }
    return result;
  }
  operation.type = *type;
  check_keys(line, *type, values);
  const auto takes = [&](const char* key) { return need(*type, key) != Need::not_taken; };
  constexpr std::uint32_t any_npu = std::numeric_limits<std::uint32_t>::max();

  operation.npus = values.npus();
  if (takes("bytes")) operation.bytes = values.whole("bytes", 0, max_bytes).value_or(0);
  if (takes("ns")) read_compute(values, operation);
  if (takes("root")) {
    if (const auto root = values.whole("root", 0, any_npu))
      operation.root = hw::NpuId(static_cast<std::uint32_t>(*root));
  }
  for (const char* key : {"to", "from"}) {
    if (!takes(key)) continue;
    if (const auto peer = values.whole(key, 0, any_npu))
      operation.peer = hw::NpuId(static_cast<std::uint32_t>(*peer));
  }
  if (takes("tag")) operation.tag = values.tag().value_or(0);
  if (takes("mode")) operation.mode = values.string("mode").value_or("broadcast");
  if (takes("class")) {
    operation.traffic_class =
        named(values, "class", class_names(), hw::parse_traffic_class).value_or(hw::TrafficClass::dp);
  }
  if (takes("op"))
    operation.op = named(values, "op", op_names(), hw::parse_reduce_op).value_or(hw::ReduceOp::sum);
  if (takes("dtype")) operation.dtype = named(values, "dtype", dtype_names(), hw::parse_dtype);
  if (takes("algorithm")) {
    operation.algorithm = values.string("algorithm").value_or("");
    if (values.find("algorithm") && operation.algorithm.empty()) values.spoil("algorithm is empty");
  }
  result.after = values.names("after");
  result.after_all = values.names("after_all");
  result.usable = values.good();
  return result;
}

Header read_header(const JsonLine& line) {
  Header header;
  Values values(line, header.problems);
  const JsonValue* format = values.find("format");
  if (!format || format->kind != Kind::string || format->text != "fredsim-trace") {
    header.problems = {
        "the first line is not that of a trace; it must be like "
        "{\"format\":\"fredsim-trace\",\"version\":1,\"npus\":8,\"name\":\"...\"}"};
    return header;
  }
  for (const JsonLine::Field& field : line.fields) {
    const auto& known = header_keys();
    if (std::find(known.begin(), known.end(), field.key) == known.end()) {
      values.complain("{}", unknown("key", field.key, known));
    }
  }
  for (const char* key : {"version", "npus"}) {
    if (!values.find(key)) values.complain("the key \"{}\" is missing", key);
  }
  values.whole("version", 1, 1);
  header.npus = static_cast<std::uint32_t>(values.whole("npus", 1, max_npus).value_or(0));
  header.name = values.string("name").value_or("");
  if (!printable(header.name)) values.complain("name holds a control character");
  header.operations = values.whole("operations", 0, std::numeric_limits<std::uint32_t>::max());
  constexpr std::uint64_t largest = std::uint64_t{1} << 60;
  for (const auto& [key, part] :
       {std::pair{"weights", &hw::MemoryNeed::weights}, std::pair{"gradients", &hw::MemoryNeed::gradients},
        std::pair{"optimizer", &hw::MemoryNeed::optimizer},
        std::pair{"activations", &hw::MemoryNeed::activations}}) {
    if (!values.find(key)) continue;
    if (!header.memory) header.memory.emplace();
    (*header.memory).*part = values.whole(key, 0, largest).value_or(0);
  }
  return header;
}

}  // namespace fredsim::trace
