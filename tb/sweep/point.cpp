#include "tb/sweep/point.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <sstream>

#include "fpga_agg/schedule/schedule_file.h"
#include "hw/core/error.h"
#include "tb/cli/shared_files.h"
#include "tb/sweep/files.h"
#include "tb/sweep/fingerprint.h"
#include "tb/sweep/number.h"
#include "traces/chakra/load.h"

namespace fredsim::tb {

std::string shell_word(const std::string& word) {
  const std::string plain = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-./=:,+%@";
  if (!word.empty() && word.find_first_not_of(plain) == std::string::npos) return word;
  std::string quoted = "'";
  for (const char c : word) quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return quoted + "'";
}

std::string Point::name() const {
  std::vector<std::string> words;
  for (const Choice& choice : choices) words.push_back(choice.key + " " + choice.text);
  return fmt::format("{}", fmt::join(words, ", "));
}

std::string Point::command() const {
  std::string text = "fredsim";
  for (const std::string& argument : arguments) text += " " + shell_word(argument);
  return text;
}

/// A point before its configuration has been read.
struct PointMaker::Draft {
  std::vector<Choice> choices;
  std::map<std::string, AxisValue> file;     ///< config, trace, schedule
  std::vector<std::string> sets;             ///< key=value
  std::map<std::string, std::string> place;  ///< in the sweep file, of "--set key=value"

  void choose(const std::string& key, const Parameter* parameter, const AxisValue& value) {
    choices.push_back(
        {key, value.text, parameter ? number_of(parameter->type, value.text) : std::optional<double>()});
    set(key, value);
  }
  void set(const std::string& key, const AxisValue& value) {
    if (is_file_key(key)) {
      file[key] = value;
      return;
    }
    sets.push_back(key + "=" + value.text);
    place["--set " + sets.back()] = value.place;
  }
  /// Problems of the configuration with places of the sweep file.
  std::string placed(const std::string& line) const {
    for (const auto& [set, at] : place) {
      if (line.rfind(set + ":", 0) == 0) return at + line.substr(set.size());
    }
    return line;
  }
};

PointMaker::PointMaker(const SweepFile& sweep, std::string program_version)
    : sweep_(sweep), version_(std::move(program_version)) {}

PointMaker::Draft PointMaker::draft(const Indices& indices,
                                    const std::optional<std::pair<std::string, AxisValue>>& searched) const {
  Draft d;
  if (sweep_.config) d.file["config"] = *sweep_.config;
  if (sweep_.trace) d.file["trace"] = *sweep_.trace;
  if (sweep_.schedule) d.file["schedule"] = *sweep_.schedule;
  for (const Setting& setting : sweep_.settings) d.set(setting.key, setting.value);
  for (std::size_t a = 0; a < sweep_.axes.size(); ++a) {
    for (const AxisKey& key : sweep_.axes[a].keys) d.choose(key.key, key.parameter, key.values[indices[a]]);
  }
  if (searched) d.choose(searched->first, find_parameter(searched->first), searched->second);
  return d;
}

/// Throws InputError for files that the run would refuse.
void PointMaker::check_files(const Draft& d, const Configuration& configuration) {
  const bool wan = configuration.system == SystemKind::wan;
  const char* needed = wan ? "schedule" : "trace";
  const char* other = wan ? "trace" : "schedule";
  if (const auto found = d.file.find(other); found != d.file.end()) {
    throw hw::InputError(fmt::format("{}: {}: system: {} replays a {}", found->second.place, other,
                                     wan ? "wan" : "tree, switch or mesh", needed));
  }
  const auto found = d.file.find(needed);
  if (found == d.file.end())
    throw hw::InputError(fmt::format("{}:1:1: {}: is missing; it is required", sweep_.path, needed));
  if (wan && sweep_.monitors) {
    throw hw::InputError(sweep_.path +
                         ":1:1: run.monitors: lines of a WAN give no credits; there is nothing to check");
  }
  const std::string& path = found->second.text;
  const std::string topology = configuration.path_of("wan.topology", configuration.wan.topology);
  if (!checked_.insert(fmt::format("{} {}", path, wan ? topology : std::to_string(configuration.npus())))
           .second)
    return;
  if (wan) {
    agg::load_schedule(path, agg::load_topology(topology));
  } else {
    trace::load(path, configuration.npus());
  }
}

const std::string& PointMaker::content(const std::string& path) {
  const auto [found, inserted] = content_.try_emplace(path);
  if (inserted) {
    Fingerprint print;
    print.add_file(path);
    found->second = print.text();
  }
  return found->second;
}

std::string PointMaker::key_of(const Draft& d, const Configuration& configuration,
                               const std::vector<ParameterValue>& values) {
  Fingerprint print;
  print.add(fmt::format("{} {} {} {}", version_, sweep_.data, sweep_.monitors, sweep_.until.value_or("")));
  for (const auto& [parameter, value] : values) {
    const bool file = parameter->type == ValueType::file && names_file(*parameter, value);
    print.add(parameter->key + "=" + (file ? content(configuration.path_of(parameter->key, value)) : value));
  }
  if (configuration.system == SystemKind::wan) {
    print.add(content(d.file.at("schedule").text));
  } else {
    for (const NamedFile& file : trace_files(d.file.at("trace").text)) print.add(content(file.path));
  }
  return print.text();
}

std::optional<Point> PointMaker::make(const Indices& indices,
                                      const std::optional<std::pair<std::string, AxisValue>>& searched,
                                      Problems& problems) {
  const Draft d = draft(indices, searched);
  Point point;
  point.choices = d.choices;
  point.config = d.file.at("config").text;
  const auto file = [&](const char* key) {
    const auto found = d.file.find(key);
    return found == d.file.end() ? std::nullopt : std::optional<std::string>(found->second.text);
  };
  point.trace = file("trace");
  point.schedule = file("schedule");
  try {
    const Configuration configuration = load_configuration(point.config, d.sets);
    check_files(d, configuration);
    for (EffectiveValue& value : configuration.effective())
      point.parameters.push_back({find_parameter(value.key), std::move(value.value)});
    point.key = key_of(d, configuration, point.parameters);
  } catch (const hw::InputError& error) {
    std::istringstream lines(error.what());
    for (std::string line; std::getline(lines, line);) {
      line = d.placed(line);
      if (said_.insert(line).second) problems.add(line);
    }
    return std::nullopt;
  }
  point.arguments = {"run", point.config};
  const auto add = [&](const char* option, const std::string& value) {
    point.arguments.emplace_back(option);
    point.arguments.push_back(value);
  };
  if (point.trace) add("--trace", *point.trace);
  if (point.schedule) add("--schedule", *point.schedule);
  for (const std::string& set : d.sets) add("--set", set);
  if (sweep_.until) add("--until", *sweep_.until);
  if (!sweep_.data) point.arguments.emplace_back("--no-data");
  if (sweep_.monitors) point.arguments.emplace_back("--monitors");
  return point;
}

std::vector<PointMaker::Indices> all_indices(const std::vector<std::size_t>& sizes) {
  std::vector<PointMaker::Indices> all = {{}};
  for (const std::size_t size : sizes) {
    std::vector<PointMaker::Indices> longer;
    for (const PointMaker::Indices& indices : all) {
      for (std::size_t i = 0; i < size; ++i) {
        longer.push_back(indices);
        longer.back().push_back(i);
      }
    }
    all = std::move(longer);
  }
  return all;
}

}  // namespace fredsim::tb
