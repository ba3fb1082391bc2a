#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "tb/configuration/yaml_mapping.h"
#include "tb/sweep/axis.h"

namespace fredsim::tb {

enum class Sense : std::uint8_t { minimize, maximize };

/// The parameter or result that a goal wants small or large.
struct Objective {
  Sense sense = Sense::minimize;
  std::string name;
};

/// What an answer must keep: `NAME >= 0.99 of best`, `NAME <= 10 us`.
struct Constraint {
  enum class Comparison : std::uint8_t { less, less_or_equal, greater_or_equal, greater };

  std::string text;  ///< as written
  std::string name;
  Comparison comparison = Comparison::greater_or_equal;
  double number = 0;
  bool of_best = false;  ///< `number` is a share of the best value: the largest for > and >=, else the least
  bool holds(double value, double best) const;
};

/// One question of a sweep file.
struct Goal {
  std::string place;
  std::string text;                   ///< all of it in one line
  std::vector<Objective> objectives;  ///< two: the Pareto front
  std::optional<AxisKey> over;        ///< the values to search; nothing: among the sweep's points
  std::vector<Constraint> constraints;
};

/// Reads what stands below `find`: a goal or a list of them. Adds what is wrong to `problems`. `folder` is
/// that of the sweep file.
std::vector<Goal> read_goals(const YamlNode& node, const std::string& folder, Problems& problems);

}  // namespace fredsim::tb
