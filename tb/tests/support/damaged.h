#pragma once

#include <functional>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace fredsim::tb::test {

/// Calls `check` with every damaged form of a JSON document: each value taken out, and put in as another
/// kind. Of the entries of a list the first stands for all.
inline void for_each_damage(
    const nlohmann::ordered_json& whole,
    const std::function<void(const nlohmann::ordered_json& damaged, const std::string& what)>& check) {
  using Json = nlohmann::ordered_json;
  const std::vector<Json> kinds = {nullptr,        "<x&\">",      1e300,      -3, true,
                                   Json::object(), Json::array(), {{"a", 1}}, {1}};
  const std::function<void(const Json::json_pointer&)> visit = [&](const Json::json_pointer& at) {
    const Json& value = whole.at(at);
    if (value.is_object()) {
      for (const auto& [key, inner] : value.items()) visit(at / key);
    } else if (value.is_array() && !value.empty()) {
      visit(at / std::size_t{0});
    }
    if (at.empty()) return;
    for (const Json& kind : kinds) {
      Json damaged = whole;
      damaged[at] = kind;
      check(damaged, at.to_string() + " is " + kind.dump());
    }
    Json without = whole;
    Json& parent = without.at(at.parent_pointer());
    if (parent.is_object()) {
      parent.erase(at.back());
    } else {
      parent.erase(0);
    }
    check(without, at.to_string() + " is missing");
  };
  visit(Json::json_pointer());
}

}  // namespace fredsim::tb::test
