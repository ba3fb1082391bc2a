#include "tb/sweep/constraints.h"

#include <algorithm>

namespace fredsim::tb {

std::optional<double> goal_value(const Explored& point, const std::string& name, SweepDatabase& database) {
  if (!database.is_right(point.id)) return std::nullopt;
  for (const Choice& choice : point.point->choices) {
    if (choice.key == name) return choice.number;
  }
  return database.value(point.id, name);
}

std::string missing_result(const Goal& goal, const std::vector<Explored>& points, SweepDatabase& database) {
  std::vector<std::string> names;
  for (const Objective& objective : goal.objectives) names.push_back(objective.name);
  for (const Constraint& constraint : goal.constraints) names.push_back(constraint.name);
  for (const std::string& name : names) {
    const auto has = [&](const Explored& point) { return goal_value(point, name, database).has_value(); };
    if (std::none_of(points.begin(), points.end(), has)) return "no point has a number for " + name;
  }
  return "";
}

std::vector<bool> constraints_hold(const std::vector<Constraint>& constraints,
                                   const std::vector<Explored>& points, SweepDatabase& database) {
  std::vector<bool> holds(points.size(), true);
  for (const Constraint& constraint : constraints) {
    std::vector<std::optional<double>> values;
    for (const Explored& point : points) values.push_back(goal_value(point, constraint.name, database));
    const bool large = constraint.comparison == Constraint::Comparison::greater ||
                       constraint.comparison == Constraint::Comparison::greater_or_equal;
    std::optional<double> best;
    for (const auto& value : values) {
      if (value && (!best || (large ? *value > *best : *value < *best))) best = value;
    }
    for (std::size_t i = 0; i < points.size(); ++i)
      holds[i] = holds[i] && values[i] && constraint.holds(*values[i], *best);
  }
  // A point without a right result keeps nothing, constraints or not.
  for (std::size_t i = 0; i < points.size(); ++i) holds[i] = holds[i] && database.is_right(points[i].id);
  return holds;
}

}  // namespace fredsim::tb
