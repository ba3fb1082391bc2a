#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "tb/sweep/axis.h"
#include "tb/sweep/goal.h"

namespace fredsim::tb {

/// A parameter that has one value in all points.
struct Setting {
  std::string key;
  AxisValue value;
};

/// A result that the sweep file gives a name.
struct ResultName {
  std::string name;
  std::string path;
};

/// A sweep file, checked as far as it can be without a point. Paths are relative to the working directory.
struct SweepFile {
  std::string path;
  std::string text;
  std::string name;
  std::optional<AxisValue> config, trace, schedule;
  bool data = true;
  bool monitors = false;
  std::optional<std::string> until;
  std::vector<Setting> settings;
  std::vector<Axis> axes;  ///< crossed; the last varies fastest
  std::vector<ResultName> results;
  std::vector<Goal> goals;

  std::size_t points() const;  ///< of all axes crossed
  /// The key among the axes, or null.
  const AxisKey* axis_key(const std::string& key) const;
};

/// All keys that vary: those of the axes in order, then those that goals search.
std::vector<const AxisKey*> swept_keys(const SweepFile& sweep);

/// Points that a sweep may have.
constexpr std::size_t most_points = 100'000;

/// Read the sweep file at `path`. Throws InputError with every problem, one a line, as `file:line:column:
/// key: what is wrong, what is allowed`.
SweepFile load_sweep(const std::string& path);

}  // namespace fredsim::tb
