#include "tb/compare/differences.h"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstring>
#include <fstream>
#include <limits>
#include <map>
#include <optional>
#include <set>

#include "hw/core/error.h"
#include "hw/observe/glob.h"
#include "tb/sweep/metrics.h"

namespace fredsim::tb {
namespace {

using Json = nlohmann::ordered_json;

const double infinite = std::numeric_limits<double>::infinity();

/// One value of a result file.
struct Leaf {
  std::string path;
  std::string pattern;  ///< the path with * for the entries of lists
  Json value;
};

/// What an entry of a list is called: its name or id.
std::string called(const Json& entry) {
  if (!entry.is_object()) return "";
  for (const char* key : {"name", "id", "operation"}) {
    const auto found = entry.find(key);
    if (found != entry.end()) return found->is_string() ? found->get<std::string>() : found->dump();
  }
  return "";
}

/// The names of a list's entries, or their places if names are missing or not unique.
std::vector<std::string> entry_names(const Json& list) {
  std::vector<std::string> names;
  std::set<std::string> distinct;
  for (const Json& entry : list) {
    names.push_back(called(entry));
    if (!names.back().empty()) distinct.insert(names.back());
  }
  if (distinct.size() == names.size()) return names;
  for (std::size_t i = 0; i < names.size(); ++i) names[i] = std::to_string(i);
  return names;
}

void flatten(const Json& at, const std::string& path, const std::string& pattern, std::vector<Leaf>& leaves) {
  if (at.is_object()) {
    const std::string dot = path.empty() ? "" : ".";
    for (const auto& [key, value] : at.items()) flatten(value, path + dot + key, pattern + dot + key, leaves);
  } else if (at.is_array() &&
             std::any_of(at.begin(), at.end(), [](const Json& e) { return e.is_structured(); })) {
    const std::vector<std::string> names = entry_names(at);
    for (std::size_t i = 0; i < at.size(); ++i)
      flatten(at[i], fmt::format("{}[{}]", path, names[i]), pattern + "[*]", leaves);
  } else {
    leaves.push_back({path, pattern, at});
  }
}

std::vector<Leaf> leaves_of(const Json& result) {
  std::vector<Leaf> leaves;
  for (const auto& [key, value] : result.items()) {
    if (key != "config" && key != "command" && key != "performance") flatten(value, key, key, leaves);
  }
  return leaves;
}

std::string text_of(const Json& value) {
  if (value.is_number_float()) return fmt::format("{}", value.get<double>());
  return value.is_string() ? value.get<std::string>() : value.dump();
}

double effect_of(double a, double b) {
  if (a == b) return 0;
  return a == 0 ? infinite : std::abs(b - a) / std::abs(a);
}

double effect_of(const Json& a, const Json& b) {
  if (a == b) return 0;
  return a.is_number() && b.is_number() ? effect_of(a.get<double>(), b.get<double>()) : infinite;
}

bool larger(const Difference& a, const Difference& b) {
  return a.effect > b.effect;
}

class Comparer {
 public:
  explicit Comparer(const std::vector<std::string>& ignored) : ignored_(ignored) {}

  bool ignores(const std::string& path) const {
    return std::any_of(ignored_.begin(), ignored_.end(),
                       [&](const std::string& glob) { return hw::glob_matches(glob, path); });
  }

  void add(const std::string& path, const std::string& pattern, const Json* a, const Json* b) {
    if (ignores(path)) return;
    const auto [found, inserted] = index_.try_emplace(pattern, groups_.size());
    if (inserted) groups_.push_back({pattern, 0, {}});
    DifferenceGroup& group = groups_[found->second];
    ++group.compared;
    const double effect = a && b ? effect_of(*a, *b) : infinite;
    if (effect > 0) group.differences.push_back({path, a ? text_of(*a) : "-", b ? text_of(*b) : "-", effect});
  }

  std::vector<DifferenceGroup> take() {
    groups_.erase(std::remove_if(groups_.begin(), groups_.end(),
                                 [](const DifferenceGroup& g) { return g.differences.empty(); }),
                  groups_.end());
    for (DifferenceGroup& group : groups_)
      std::stable_sort(group.differences.begin(), group.differences.end(), larger);
    std::stable_sort(groups_.begin(), groups_.end(), [](const DifferenceGroup& a, const DifferenceGroup& b) {
      return larger(a.differences.front(), b.differences.front());
    });
    return std::move(groups_);
  }

 private:
  const std::vector<std::string>& ignored_;
  std::vector<DifferenceGroup> groups_;
  std::map<std::string, std::size_t> index_;
};

std::vector<DifferenceGroup> compare_results(const Json& a, const Json& b, Comparer comparer) {
  const std::vector<Leaf> of_a = leaves_of(a), of_b = leaves_of(b);
  std::map<std::string, const Leaf*> in_b;
  for (const Leaf& leaf : of_b) in_b[leaf.path] = &leaf;
  std::set<std::string> in_a;
  for (const Leaf& leaf : of_a) {
    in_a.insert(leaf.path);
    const auto found = in_b.find(leaf.path);
    comparer.add(leaf.path, leaf.pattern, &leaf.value, found == in_b.end() ? nullptr : &found->second->value);
  }
  for (const Leaf& leaf : of_b) {
    if (in_a.count(leaf.path) == 0) comparer.add(leaf.path, leaf.pattern, nullptr, &leaf.value);
  }
  return comparer.take();
}

std::vector<Difference> compare_metrics(const Json& a, const Json& b, const Comparer& comparer) {
  std::vector<Difference> differences;
  for (const Metric& metric : ready_metrics()) {
    const std::optional<double> x = metric.of(a), y = metric.of(b);
    if (x == y || comparer.ignores(metric.name)) continue;
    const auto text = [](const std::optional<double>& v) { return v ? fmt::format("{}", *v) : "-"; };
    differences.push_back({metric.name, text(x), text(y), x && y ? effect_of(*x, *y) : infinite});
  }
  std::stable_sort(differences.begin(), differences.end(), larger);
  return differences;
}

std::vector<Difference> compare_configurations(const Json& a, const Json& b) {
  std::vector<Difference> differences;
  const auto add = [&](const std::string& key, const Json* x, const Json* y) {
    const double effect = x && y ? effect_of(*x, *y) : infinite;
    if (effect > 0) differences.push_back({key, x ? text_of(*x) : "-", y ? text_of(*y) : "-", effect});
  };
  for (const auto& [key, value] : a.items()) {
    const auto found = b.find(key);
    add(key, &value, found == b.end() ? nullptr : &*found);
  }
  for (const auto& [key, value] : b.items()) {
    if (!a.contains(key)) add(key, nullptr, &value);
  }
  return differences;
}

}  // namespace

double Comparison::largest_effect() const {
  return results.empty() ? 0 : results.front().differences.front().effect;
}

std::size_t Comparison::differing() const {
  std::size_t n = 0;
  for (const DifferenceGroup& group : results) n += group.differences.size();
  return n;
}

Comparison compare(const Json& a, const Json& b, const std::vector<std::string>& ignored) {
  const Comparer comparer(ignored);
  Comparison comparison;
  comparison.configuration =
      compare_configurations(a.value("config", Json::object()), b.value("config", Json::object()));
  comparison.metrics = compare_metrics(a, b, comparer);
  comparison.results = compare_results(a, b, comparer);
  return comparison;
}

Json load_result(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) throw hw::InputError(fmt::format("{}: cannot be opened: {}", path, std::strerror(errno)));
  Json json;
  try {
    json = Json::parse(file);
  } catch (const Json::exception& error) {
    throw hw::InputError(fmt::format("{}: is no result of fredsim: {}", path, error.what()));
  }
  const auto format = json.is_object() ? json.find("format") : json.end();
  if (format == json.end() || *format != "fredsim-result")
    throw hw::InputError(path + ": is no result of fredsim; `fredsim run --json FILE` writes one");
  return json;
}

}  // namespace fredsim::tb
