#include "tb/sweep/sweep_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <map>
#include <set>

#include "hw/core/error.h"
#include "hw/core/nearest.h"
#include "hw/core/quantity.h"
#include "tb/configuration/unknown_key.h"
#include "tb/configuration/value_text.h"
#include "tb/sweep/files.h"
#include "tb/sweep/metrics.h"
#include "tb/sweep/number.h"
#include "tb/sweep/result_path.h"

namespace fredsim::tb {
namespace {

std::string read_text(const std::string& path) {
  std::error_code ignored;
  if (std::filesystem::is_directory(path, ignored))
    throw hw::InputError(path + ": is a directory; a sweep is a YAML file");
  std::ifstream file(path, std::ios::binary);
  if (!file) throw hw::InputError(fmt::format("{}: cannot be opened: {}", path, std::strerror(errno)));
  constexpr std::size_t most = 1024 * 1024;
  std::string text(most + 1, '\0');
  file.read(text.data(), static_cast<std::streamsize>(text.size()));
  text.resize(static_cast<std::size_t>(file.gcount()));
  if (text.size() > most) throw hw::InputError(path + ": is larger than 1 MiB, so it is not a sweep");
  return text;
}

class Reader {
 public:
  explicit Reader(const std::string& path) : folder_(std::filesystem::path(path).parent_path().string()) {
    sweep_.path = path;
    sweep_.text = read_text(path);
    sweep_.name = std::filesystem::path(path).stem().string();
    root_ = parse_yaml(sweep_.text, path);
  }

  SweepFile read() {
    const auto file = [&](std::optional<AxisValue>& to) {
      return [this, &to](const YamlNode& v) {
        to =
            AxisValue{relative_to(folder_, scalar_of(v, "one file; several go below cross or zip")), v.place};
      };
    };
    read_mapping(
        root_, root_.place, "",
        {{"name", false, [&](const YamlNode& v) { sweep_.name = scalar_of(v, "a name"); }},
         {"config", false, file(sweep_.config)},
         {"trace", false, file(sweep_.trace)},
         {"schedule", false, file(sweep_.schedule)},
         {"run", false, [&](const YamlNode& v) { read_options(v); }},
         {"set", false, [&](const YamlNode& v) { read_settings(v); }},
         {"cross", false, [&](const YamlNode& v) { read_cross(v); }},
         {"zip", false, [&](const YamlNode& v) { read_zips(v); }},
         {"results", false, [&](const YamlNode& v) { read_results(v); }},
         {"find", false, [&](const YamlNode& v) { sweep_.goals = read_goals(v, folder_, problems_); }}},
        problems_);
    check_keys();
    for (const Goal& goal : sweep_.goals) check_goal(goal);
    problems_.throw_if_any();
    if (sweep_.points() > most_points) {
      throw hw::InputError(
          fmt::format("{}: cross: the sweep has more than {} points", root_.place, most_points));
    }
    return std::move(sweep_);
  }

 private:
  void read_options(const YamlNode& node) {
    read_mapping(
        node, node.place, "run",
        {{"data", false,
          [&](const YamlNode& v) { sweep_.data = parse_boolean(scalar_of(v, "true or false")); }},
         {"monitors", false,
          [&](const YamlNode& v) { sweep_.monitors = parse_boolean(scalar_of(v, "true or false")); }},
         {"until", false,
          [&](const YamlNode& v) {
            sweep_.until = hw::to_string(hw::parse_time(scalar_of(v, "a simulated time")));
          }}},
        problems_);
  }

  /// Calls `leaf` for every key of a mapping that is written with dots or nested, as in a configuration.
  template <class Leaf>
  void each_key(const YamlNode& node, const std::string& of, const std::string& group, Leaf leaf) {
    if (node.kind != YamlNode::Kind::mapping) {
      problems_.add(node.place, of, "a mapping of keys to values is due here");
      return;
    }
    for (const YamlMember& member : node.members) {
      const std::string key = group.empty() ? member.key : group + "." + member.key;
      if (is_group(key) && member.value.kind == YamlNode::Kind::mapping) {
        each_key(member.value, of, key, leaf);
      } else {
        leaf(key, of + "." + shown_key(key), member);
      }
    }
  }

  void read_settings(const YamlNode& node) {
    each_key(node, "set", "", [&](const std::string& key, const std::string& of, const YamlMember& member) {
      const Parameter* parameter = find_parameter(key);
      if (!parameter) {
        problems_.add(member.place, of, unknown_key(key));
        return;
      }
      try {
        const std::string& text = scalar_of(member.value, "one value; several go below cross or zip");
        sweep_.settings.push_back({key, {value_for_run(*parameter, text, folder_), member.value.place}});
        note(key, of, member.place);
      } catch (const hw::InputError& error) {
        problems_.add(member.value.place, of,
                      fmt::format("{}; allowed: {}", error.what(), allowed_text(*parameter)));
      }
    });
  }

  void add_axis_key(Axis& axis, const std::string& key, const std::string& of, const YamlMember& member,
                    bool distinct) {
    axis.keys.push_back(read_axis_key(key, of, member.place, member.value, folder_, distinct, problems_));
    note(key, of, member.place);
  }

  void read_cross(const YamlNode& node) {
    each_key(node, "cross", "", [&](const std::string& key, const std::string& of, const YamlMember& member) {
      Axis axis;
      add_axis_key(axis, key, of, member, true);
      sweep_.axes.push_back(std::move(axis));
    });
  }

  void read_zip(const YamlNode& node, const std::string& of) {
    Axis axis;
    each_key(node, of, "", [&](const std::string& key, const std::string& of_key, const YamlMember& member) {
      add_axis_key(axis, key, of_key, member, false);
    });
    if (axis.keys.empty()) return;
    for (const AxisKey& key : axis.keys) {
      if (key.values.size() == axis.size()) continue;
      problems_.add(key.place, of + "." + key.key,
                    fmt::format("has {} values and {} has {}; keys that vary together have as many",
                                key.values.size(), axis.keys.front().key, axis.size()));
    }
    sweep_.axes.push_back(std::move(axis));
  }

  void read_zips(const YamlNode& node) {
    if (node.kind != YamlNode::Kind::sequence) return read_zip(node, "zip");
    for (std::size_t i = 0; i < node.items.size(); ++i) read_zip(node.items[i], fmt::format("zip[{}]", i));
  }

  void read_results(const YamlNode& node) {
    if (node.kind != YamlNode::Kind::mapping)
      throw hw::InputError("a mapping of names to results is due here, as slow: max(operations[*].end_ns)");
    for (const YamlMember& member : node.members) {
      const std::string of = "results." + shown_key(member.key);
      const std::string plain = "abcdefghijklmnopqrstuvwxyz0123456789_";
      if (member.key.find_first_not_of(plain) != std::string::npos) {
        problems_.add(member.place, of, "is no name for a result; allowed: a to z, 0 to 9 and _");
        continue;
      }
      static const std::set<std::string> taken = {"point",    "number", "origin", "config", "trace",
                                                  "schedule", "state",  "status", "reason"};
      const auto same = [&](const auto& result) { return result.name == member.key; };
      if (taken.count(member.key) > 0 || find_parameter(member.key) ||
          std::any_of(ready_metrics().begin(), ready_metrics().end(), same) ||
          std::any_of(sweep_.results.begin(), sweep_.results.end(), same)) {
        problems_.add(member.place, of, "doubled: the table of points has a column of this name");
        continue;
      }
      try {
        sweep_.results.push_back(
            {member.key, ResultPath(scalar_of(member.value, "the path of a result")).text()});
      } catch (const hw::InputError& error) {
        problems_.add(member.value.place, of, error.what());
      }
    }
  }

  /// A key has its values from one place.
  void note(const std::string& key, const std::string& of, const std::string& place) {
    const auto [first, inserted] = given_.emplace(key, place);
    if (!inserted) problems_.add(place, of, "doubled: the key is given before at " + first->second);
  }

  void check_keys() {
    const auto twice = [&](const char* key, const std::optional<AxisValue>& fixed) {
      const auto found = given_.find(key);
      if (fixed && found != given_.end())
        problems_.add(found->second, key, "doubled: the key is given before at " + fixed->place);
    };
    twice("config", sweep_.config);
    twice("trace", sweep_.trace);
    twice("schedule", sweep_.schedule);
    if (!sweep_.config && given_.count("config") == 0)
      problems_.add(root_.place, "config",
                    "is missing; the configuration that is varied, a YAML file, is required");
  }

  /// Names that a goal uses are parameters that vary, results with a name, or paths.
  void check_goal(const Goal& goal) {
    const bool searched = goal.over.has_value();
    if (searched && given_.count(goal.over->key) > 0) {
      problems_.add(
          goal.place, "find.over",
          fmt::format("doubled: {} has its values at {}", goal.over->key, given_.at(goal.over->key)));
    }
    if (!searched) {
      for (const Objective& objective : goal.objectives) check_name(goal, objective.name);
    }
    for (const Constraint& constraint : goal.constraints) check_name(goal, constraint.name);
  }

  void check_name(const Goal& goal, const std::string& name) {
    if (sweep_.axis_key(name) || (goal.over && goal.over->key == name)) return;
    if (find_parameter(name)) {
      problems_.add(
          goal.place, "find",
          fmt::format("{} does not vary; put it below cross or zip, or say what to search with over", name));
      return;
    }
    std::vector<std::string> known;
    for (const Metric& metric : ready_metrics()) known.push_back(metric.name);
    for (const ResultName& result : sweep_.results) known.push_back(result.name);
    if (std::find(known.begin(), known.end(), name) != known.end()) return;
    try {
      for (const AxisKey* key : swept_keys(sweep_)) {
        if (key->parameter && name == key->key + std::string(suffix_of(key->parameter->type)))
          throw hw::InputError(
              fmt::format("{} is called {} here, and compared with a unit", in_quotes(name), key->key));
      }
      if (name.find_first_of(".[(") == std::string::npos)
        throw hw::InputError(
            fmt::format("there is no result {}{}", in_quotes(name), hw::did_you_mean(name, known)));
      ResultPath path(name);
    } catch (const hw::InputError& error) {
      problems_.add(goal.place, "find", error.what());
    }
  }

  SweepFile sweep_;
  YamlNode root_;
  std::string folder_;
  Problems problems_;
  std::map<std::string, std::string> given_;  ///< keys that set, cross and zip give, and where
};

}  // namespace

std::size_t SweepFile::points() const {
  std::size_t product = 1;
  for (const Axis& axis : axes) {
    if (axis.size() == 0) return 0;
    if (product > most_points / axis.size()) return most_points + 1;
    product *= axis.size();
  }
  return product;
}

const AxisKey* SweepFile::axis_key(const std::string& key) const {
  for (const Axis& axis : axes) {
    for (const AxisKey& k : axis.keys) {
      if (k.key == key) return &k;
    }
  }
  return nullptr;
}

std::vector<const AxisKey*> swept_keys(const SweepFile& sweep) {
  std::vector<const AxisKey*> keys;
  for (const Axis& axis : sweep.axes) {
    for (const AxisKey& key : axis.keys) keys.push_back(&key);
  }
  for (const Goal& goal : sweep.goals) {
    const auto same = [&](const AxisKey* key) { return key->key == goal.over->key; };
    if (goal.over && std::none_of(keys.begin(), keys.end(), same)) keys.push_back(&*goal.over);
  }
  return keys;
}

SweepFile load_sweep(const std::string& path) {
  return Reader(path).read();
}

}  // namespace fredsim::tb
