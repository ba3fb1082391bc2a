#include "tb/configuration/unknown_key.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <vector>

#include "hw/core/nearest.h"
#include "tb/configuration/parameter.h"
#include "tb/configuration/value_text.h"

namespace fredsim::tb {
namespace {

bool is_below(const std::string& key, const std::string& group) {
  return key.compare(0, group.size() + 1, group + ".") == 0;
}

/// The family that would have `key` if it had more levels, or null.
const Parameter* family_of(const std::string& key) {
  for (const Parameter& family : declared_parameters()) {
    if (!family.is_family()) continue;
    const std::size_t level = family.key.find("lK");
    if (key.compare(0, level + 1, family.key, 0, level + 1) != 0) continue;
    const std::size_t end = key.find_first_not_of("0123456789", level + 1);
    if (end != std::string::npos && end > level + 1 && key.substr(end) == family.key.substr(level + 2)) {
      return &family;
    }
  }
  return nullptr;
}

}  // namespace

std::string known_keys(const std::string& group) {
  std::vector<std::string> keys;
  for (const Parameter& parameter : parameters()) {
    std::string key;
    if (group.empty()) {
      key = parameter.key.substr(0, parameter.key.find('.'));
    } else if (is_below(parameter.key, group)) {
      key = is_below(parameter.family, group) ? parameter.family : parameter.key;
    } else {
      continue;
    }
    if (std::find(keys.begin(), keys.end(), key) == keys.end()) keys.push_back(std::move(key));
  }
  return fmt::format("{}", fmt::join(keys, ", "));
}

bool is_group(const std::string& key) {
  const auto& all = parameters();
  return !key.empty() && std::any_of(all.begin(), all.end(), [&](const Parameter& parameter) {
    return is_below(parameter.key, key);
  });
}

std::string shown_key(const std::string& key) {
  const bool plain =
      !key.empty() && key.size() <= 60 && std::all_of(key.begin(), key.end(), [](unsigned char c) {
        return std::isalnum(c) || c == '.' || c == '_' || c == '-';
      });
  return plain ? key : in_quotes(key);
}

std::string unknown_key(const std::string& key) {
  if (const Parameter* family = family_of(key)) {
    return fmt::format("unknown key; {} is there for K = {} to {}", family->key, family->first_level,
                       family->last_level);
  }
  std::vector<std::string> known;
  for (const Parameter& parameter : parameters()) {
    known.push_back(parameter.key);
    // "middle" for "switch.middle": the topic was left out.
    const std::string& full = parameter.key;
    const std::size_t dot = full.find('.');
    if (dot != std::string::npos && full.substr(dot + 1) == key) {
      return fmt::format("unknown key (did you mean '{}'?)", full);
    }
    for (std::size_t end = dot; end != std::string::npos; end = full.find('.', end + 1)) {
      known.push_back(full.substr(0, end));
    }
  }
  // Comparing costs the product of the lengths, and no long key is a slip of the finger.
  constexpr std::size_t longest = 100;
  const std::string hint = key.size() <= longest ? hw::did_you_mean(key, known) : "";
  if (!hint.empty()) return "unknown key" + hint;
  std::string group = key;
  while (!group.empty() && !is_group(group))
    group.erase(group.rfind('.') == std::string::npos ? 0 : group.rfind('.'));
  return fmt::format("unknown key; known {}: {}", group.empty() ? "are" : "in " + group, known_keys(group));
}

}  // namespace fredsim::tb
