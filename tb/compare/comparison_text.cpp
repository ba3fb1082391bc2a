#include "tb/compare/comparison_text.h"

#include <fmt/format.h>

#include <charconv>
#include <cmath>

namespace fredsim::tb {
namespace {

using Json = nlohmann::ordered_json;

/// A number with six digits; other texts as they are, cut where they are long.
std::string shown(const std::string& text) {
  double number = 0;
  const char* end = text.data() + text.size();
  if (const auto [rest, error] = std::from_chars(text.data(), end, number);
      error == std::errc() && rest == end)
    return fmt::format("{:.6g}", number);
  constexpr std::size_t longest = 40;
  return text.size() > longest ? text.substr(0, longest) + "..." : text;
}

std::string shown_effect(const Difference& d) {
  if (std::isinf(d.effect)) return "";
  return fmt::format("  {}{:.3g} %", std::stod(d.b) > std::stod(d.a) ? "+" : "-", 100 * d.effect);
}

std::string line(const Difference& d) {
  return fmt::format("{} -> {}{}", shown(d.a), shown(d.b), shown_effect(d));
}

std::string share(double effect) {
  return std::isinf(effect) ? "without size (0 in A, in one only, or no number)"
                            : fmt::format("{:.3g} %", 100 * effect);
}

Json json_of(const Difference& d) {
  return {
      {"path", d.path}, {"a", d.a}, {"b", d.b}, {"effect", std::isinf(d.effect) ? Json() : Json(d.effect)}};
}

}  // namespace

std::string to_text(const Comparison& comparison, double tolerance) {
  std::string text;
  if (!comparison.configuration.empty()) text += "configuration\n";
  for (const Difference& d : comparison.configuration)
    text += fmt::format("  {:<28} {} -> {}\n", d.path, shown(d.a), shown(d.b));
  if (!comparison.metrics.empty()) text += "run, by size of effect\n";
  for (const Difference& d : comparison.metrics) text += fmt::format("  {:<28} {}\n", d.path, line(d));
  if (!comparison.results.empty()) text += "everything that differs, by size of the largest effect\n";
  for (const DifferenceGroup& group : comparison.results) {
    const Difference& most = group.differences.front();
    if (group.compared == 1) {
      text += fmt::format("  {:<46} {}\n", group.path, line(most));
    } else {
      text += fmt::format("  {:<46} {} of {}, most {}: {}\n", group.path, group.differences.size(),
                          group.compared, most.path, line(most));
    }
  }
  const double largest = comparison.largest_effect();
  if (comparison.results.empty()) return text + "results are equal\n";
  return text + fmt::format("{} values differ, largest effect: {}; {} the tolerance of {:.3g} %\n",
                            comparison.differing(), share(largest), largest > tolerance ? "above" : "within",
                            100 * tolerance);
}

Json to_json(const Comparison& comparison) {
  Json json = {{"format", "fredsim-comparison"}, {"version", 1}};
  const double largest = comparison.largest_effect();
  json["largest_effect"] = std::isinf(largest) ? Json() : Json(largest);
  json["configuration"] = Json::array();
  for (const Difference& d : comparison.configuration) json["configuration"].push_back(json_of(d));
  json["metrics"] = Json::array();
  for (const Difference& d : comparison.metrics) json["metrics"].push_back(json_of(d));
  json["results"] = Json::array();
  for (const DifferenceGroup& group : comparison.results) {
    for (const Difference& d : group.differences) json["results"].push_back(json_of(d));
  }
  return json;
}

}  // namespace fredsim::tb
