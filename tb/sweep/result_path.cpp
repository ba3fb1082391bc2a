#include "tb/sweep/result_path.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "hw/core/error.h"
#include "hw/core/nearest.h"
#include "tb/configuration/value_text.h"

namespace fredsim::tb {
namespace {

using Json = nlohmann::ordered_json;

[[noreturn]] void refuse(const std::string& text, const std::string& what) {
  throw hw::InputError(
      fmt::format("{} {}; a result is named as in operations[0].end_ns or max(links[*].utilization)",
                  in_quotes(text), what));
}

/// Whether an entry of a list is called `name`.
bool is_called(const Json& entry, const std::string& name) {
  if (!entry.is_object()) return false;
  for (const char* key : {"name", "id"}) {
    const auto found = entry.find(key);
    if (found == entry.end()) continue;
    if (found->is_string() ? found->get_ref<const std::string&>() == name : found->dump() == name)
      return true;
  }
  return false;
}

}  // namespace

ResultPath::ResultPath(const std::string& text) : text_(text) {
  std::string path = text;
  if (const std::size_t open = text.find('('); open != std::string::npos && text.back() == ')') {
    static const std::vector<std::string> functions = {"min", "max", "sum", "mean"};
    const std::string name = text.substr(0, open);
    const auto found = std::find(functions.begin(), functions.end(), name);
    if (found == functions.end()) {
      refuse(text, fmt::format("begins with no function; allowed: min, max, sum, mean{}",
                               hw::did_you_mean(name, functions)));
    }
    function_ = static_cast<Function>(found - functions.begin() + 1);
    path = text.substr(open + 1, text.size() - open - 2);
  }
  parse_steps(path);
  const bool list =
      std::any_of(steps_.begin(), steps_.end(), [](const Step& s) { return s.kind == Step::Kind::all; });
  if (list && function_ == Function::none)
    refuse(text, "has many values; put min, max, sum or mean around it");
}

void ResultPath::parse_steps(const std::string& path) {
  std::size_t at = 0;
  while (true) {
    const std::size_t end = std::min(path.find_first_of(".[", at), path.size());
    const std::string name = path.substr(at, end - at);
    const bool plain = std::all_of(name.begin(), name.end(), [](char c) {
      return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_';
    });
    if (name.empty() || !plain) refuse(text_, "is no path");
    steps_.push_back({Step::Kind::member, name});
    at = end;
    while (at < path.size() && path[at] == '[') {
      const std::size_t close = path.find(']', at);
      if (close == std::string::npos) refuse(text_, "lacks a ]");
      const std::string entry = path.substr(at + 1, close - at - 1);
      if (entry.empty()) refuse(text_, "has nothing between [ and ]");
      if (entry == "*") {
        steps_.push_back({Step::Kind::all, ""});
      } else if (entry.size() < 10 && entry.find_first_not_of("0123456789") == std::string::npos) {
        steps_.push_back({Step::Kind::index, "", static_cast<std::size_t>(parse_integer(entry))});
      } else {
        steps_.push_back({Step::Kind::name, entry});
      }
      at = close + 1;
    }
    if (at == path.size()) return;
    if (path[at] != '.') refuse(text_, "is no path");
    ++at;
  }
}

void ResultPath::collect(const Json& at, std::size_t step, std::vector<double>& numbers) const {
  if (step == steps_.size()) {
    if (at.is_number()) numbers.push_back(at.get<double>());
    if (at.is_boolean()) numbers.push_back(at.get<bool>() ? 1 : 0);
    return;
  }
  const Step& s = steps_[step];
  if (s.kind == Step::Kind::member) {
    if (!at.is_object()) return;
    if (const auto found = at.find(s.name); found != at.end()) collect(*found, step + 1, numbers);
    return;
  }
  if (!at.is_array()) return;
  for (std::size_t i = 0; i < at.size(); ++i) {
    const bool meant = s.kind == Step::Kind::all || (s.kind == Step::Kind::index && i == s.index) ||
                       (s.kind == Step::Kind::name && is_called(at[i], s.name));
    if (!meant) continue;
    collect(at[i], step + 1, numbers);
    if (s.kind != Step::Kind::all) return;
  }
}

std::optional<double> ResultPath::in(const Json& result) const {
  std::vector<double> numbers;
  collect(result, 0, numbers);
  if (numbers.empty()) return std::nullopt;
  const double sum = std::accumulate(numbers.begin(), numbers.end(), 0.0);
  switch (function_) {
    case Function::none:
      return numbers.front();
    case Function::min:
      return *std::min_element(numbers.begin(), numbers.end());
    case Function::max:
      return *std::max_element(numbers.begin(), numbers.end());
    case Function::sum:
      return sum;
    case Function::mean:
      return sum / static_cast<double>(numbers.size());
  }
  return std::nullopt;
}

}  // namespace fredsim::tb
