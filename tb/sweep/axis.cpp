#include "tb/sweep/axis.h"

#include <fmt/format.h>

#include <map>
#include <optional>

#include "hw/core/error.h"
#include "tb/configuration/unknown_key.h"
#include "tb/sweep/files.h"
#include "tb/sweep/range.h"

namespace fredsim::tb {
namespace {

Range read_range(const YamlNode& node, const std::string& of, Problems& problems) {
  Range range;
  std::optional<std::string> scale;
  const auto text = [](std::optional<std::string>& to) {
    return [&to](const YamlNode& v) { to = scalar_of(v, "one value"); };
  };
  read_mapping(node, node.place, of,
               {{"from", true, [&](const YamlNode& v) { range.from = scalar_of(v, "one value"); }},
                {"to", true, [&](const YamlNode& v) { range.to = scalar_of(v, "one value"); }},
                {"step", false, text(range.step)},
                {"factor", false, text(range.factor)},
                {"points", false, text(range.points)},
                {"scale", false, text(scale)}},
               problems);
  const int given = (range.step ? 1 : 0) + (range.factor ? 1 : 0) + (range.points ? 1 : 0);
  if (given != 1) throw hw::InputError("one of step, factor and points is due");
  if (scale && *scale != "log" && *scale != "linear")
    throw hw::InputError(fmt::format("scale: {} is not available; allowed: linear, log", *scale));
  range.logarithmic = scale == "log";
  if (scale && !range.points) throw hw::InputError("scale: has no effect without points");
  return range;
}

/// The values of a range or a list, as they stand there.
std::vector<AxisValue> given_values(const AxisKey& key, const std::string& of, const YamlNode& node,
                                    Problems& problems) {
  std::vector<AxisValue> values;
  if (node.kind == YamlNode::Kind::mapping) {
    if (!key.parameter) throw hw::InputError("files have no range: write a list");
    for (std::string& text : range_values(key.parameter->type, read_range(node, of, problems)))
      values.push_back({std::move(text), node.place});
    return values;
  }
  if (node.kind != YamlNode::Kind::sequence) {
    throw hw::InputError(
        "a list of values or a range {from, to, step | factor | points} is due here; a single value goes "
        "below "
        "set");
  }
  for (const YamlNode& item : node.items) {
    try {
      values.push_back({scalar_of(item, "one value"), item.place});
    } catch (const hw::InputError& error) {
      problems.add(item.place, of, error.what());
    }
  }
  return values;
}

}  // namespace

AxisKey read_axis_key(const std::string& key, const std::string& of, const std::string& place,
                      const YamlNode& node, const std::string& folder, bool distinct, Problems& problems) {
  AxisKey axis{key, place, find_parameter(key), {}};
  if (!axis.parameter && !is_file_key(key)) {
    problems.add(place, of,
                 is_group(key) ? "is a group of parameters and takes no values itself: " + known_keys(key)
                               : unknown_key(key));
    return axis;
  }
  std::vector<AxisValue> given;
  try {
    given = given_values(axis, of, node, problems);
    if (given.empty()) throw hw::InputError("there is no value; one or more are due");
  } catch (const hw::InputError& error) {
    problems.add(node.place, of, error.what());
  }
  std::map<std::string, std::string> seen;  // value as the program writes it, and where
  for (AxisValue& value : given) {
    try {
      value.text = axis.parameter ? value_for_run(*axis.parameter, value.text, folder)
                                  : relative_to(folder, value.text);
    } catch (const hw::InputError& error) {
      problems.add(value.place, of,
                   fmt::format("{}; allowed: {}", error.what(), allowed_text(*axis.parameter)));
      continue;
    }
    const auto [first, inserted] = seen.emplace(value.text, value.place);
    if (distinct && !inserted) {
      problems.add(value.place, of,
                   fmt::format("doubled: {} is given before at {}", value.text, first->second));
      continue;
    }
    axis.values.push_back(value);
  }
  return axis;
}

}  // namespace fredsim::tb
