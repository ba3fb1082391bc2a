#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>

#include "tb/sweep/constraints.h"
#include "tb/sweep/find.h"

namespace fredsim::tb {
namespace {

/// The values of a point but that of `key`.
std::string other_values(const Point& point, const std::string& key) {
  Point others;
  for (const Choice& choice : point.choices) {
    if (choice.key != key) others.choices.push_back(choice);
  }
  return others.name();
}

/// A value as text: that of a key that varies as the user wrote it.
std::string value_text(const Explored& point, const std::string& name, double number) {
  for (const Choice& choice : point.point->choices) {
    if (choice.key == name) return choice.text;
  }
  return fmt::format("{:.6g}", number);
}

Answer answer_for(const Explored& point, const std::string& combination, const std::string& name,
                  double number) {
  Answer answer;
  answer.combination = combination;
  answer.key = name;
  answer.value = value_text(point, name, number);
  answer.number = number;
  answer.point = point.id;
  return answer;
}

/// `value` of an objective such that less is better.
double cost(const Objective& objective, double value) {
  return objective.sense == Sense::minimize ? value : -value;
}

Answer best_of(const Goal& goal, const std::string& combination, const std::vector<Explored>& points,
               SweepDatabase& database) {
  const Objective& objective = goal.objectives.front();
  const std::vector<bool> holds = constraints_hold(goal.constraints, points, database);
  Answer answer;
  answer.combination = combination;
  answer.key = objective.name;
  answer.reason = missing_result(goal, points, database);
  if (answer.reason.empty()) answer.reason = "no point keeps the condition";
  for (std::size_t i = 0; i < points.size(); ++i) {
    const std::optional<double> value = goal_value(points[i], objective.name, database);
    if (!holds[i] || !value) continue;
    if (!answer.number || cost(objective, *value) < cost(objective, *answer.number))
      answer = answer_for(points[i], combination, objective.name, *value);
  }
  for (const Explored& point : points) answer.rests_on.push_back(point.id);
  return answer;
}

/// The points to which no other one is better in one objective and as good in the other.
std::vector<Answer> front(const Goal& goal, const std::vector<Explored>& points, SweepDatabase& database) {
  struct Candidate {
    const Explored* point;
    double first, second;  ///< costs
  };
  const Objective& a = goal.objectives[0];
  const Objective& b = goal.objectives[1];
  const std::vector<bool> holds = constraints_hold(goal.constraints, points, database);
  std::vector<Candidate> candidates;
  for (std::size_t i = 0; i < points.size(); ++i) {
    const auto first = goal_value(points[i], a.name, database),
               second = goal_value(points[i], b.name, database);
    if (holds[i] && first && second) candidates.push_back({&points[i], cost(a, *first), cost(b, *second)});
  }
  std::vector<Answer> answers;
  for (const Candidate& c : candidates) {
    const bool beaten = std::any_of(candidates.begin(), candidates.end(), [&](const Candidate& d) {
      return d.first <= c.first && d.second <= c.second && (d.first < c.first || d.second < c.second);
    });
    if (beaten) continue;
    for (const Objective* objective : {&a, &b}) {
      const double number = *goal_value(*c.point, objective->name, database);
      answers.push_back(answer_for(*c.point, c.point->point->name(), objective->name, number));
      answers.back().rests_on = {c.point->id};
    }
  }
  if (answers.empty()) {
    Answer none;
    none.key = a.name;
    none.reason = missing_result(goal, points, database);
    if (none.reason.empty()) none.reason = "no point has both and keeps the condition";
    answers.push_back(none);
  }
  return answers;
}

}  // namespace

std::vector<Answer> choose(const Goal& goal, const std::vector<Explored>& points, SweepDatabase& database) {
  if (goal.objectives.size() == 2) return front(goal, points, database);
  const std::string& name = goal.objectives.front().name;
  // A value that varies is sought for each combination of the others; a result among all points.
  bool varies = false;
  for (const Explored& point : points) {
    for (const Choice& choice : point.point->choices) varies = varies || choice.key == name;
  }
  std::vector<std::string> order;
  std::map<std::string, std::vector<Explored>> groups;
  for (const Explored& point : points) {
    const std::string combination = varies ? other_values(*point.point, name) : "";
    if (groups.count(combination) == 0) order.push_back(combination);
    groups[combination].push_back(point);
  }
  std::vector<Answer> answers;
  for (const std::string& combination : order)
    answers.push_back(best_of(goal, combination, groups[combination], database));
  return answers;
}

}  // namespace fredsim::tb
