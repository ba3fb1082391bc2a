#include "tb/sweep/find.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <limits>
#include <map>
#include <optional>

#include "tb/sweep/constraints.h"
#include "tb/sweep/number.h"

namespace fredsim::tb {
namespace {

/// A searched value's place on the number line; `unlimited` is beyond all others.
std::optional<double> order_of(const Parameter& parameter, const std::string& text) {
  if (text == "unlimited") return std::numeric_limits<double>::infinity();
  return number_of(parameter.type, text);
}

/// The bisection for one combination. Candidates are counted from the one that is wanted most.
class Bisection {
 public:
  Bisection(const Goal& goal, const Candidates& candidates) : goal_(goal), candidates_(candidates) {}

  /// The points to be run next; none when the answer is known.
  std::vector<const Point*> next(SweepDatabase& database) {
    if (ids_.empty()) {
      // Both ends: what is wanted most, and the best that can be had.
      std::vector<const Point*> ends = {at(0)};
      if (size() > 1) ends.push_back(at(size() - 1));
      return ends;
    }
    const auto [low, high] = bracket(database);
    if (high == size() || high == 0 || high - low == 1) return {};
    return {at(low + (high - low) / 2)};
  }

  void explored(const Explored& one) {
    for (std::size_t i = 0; i < size(); ++i) {
      if (at(i) == one.point) ids_[i] = one.id;
    }
  }

  Answer answer(SweepDatabase& database) {
    Answer answer;
    answer.combination = candidates_.combination;
    answer.key = goal_.objectives.front().name;
    for (const auto& [index, id] : ids_) answer.rests_on.push_back(id);
    const std::size_t high = bracket(database).second;
    if (high == size()) {
      answer.reason = missing_result(goal_, explored_points(), database);
      if (answer.reason.empty())
        answer.reason =
            fmt::format("none of the values tried keeps the condition, up to {}", chosen(size() - 1).text);
      return answer;
    }
    answer.value = chosen(high).text;
    answer.number = chosen(high).number;
    answer.point = ids_.at(high);
    const std::vector<bool> holds = held(database);
    std::size_t k = 0;
    for (const auto& [index, id] : ids_) {
      if (index > high && !holds[k])
        answer.reason = fmt::format(
            "but {} does not keep the condition, so this may not be the only such value", chosen(index).text);
      ++k;
    }
    return answer;
  }

 private:
  std::size_t size() const { return candidates_.points.size(); }
  const Point* at(std::size_t i) const {
    const bool ascending = goal_.objectives.front().sense == Sense::minimize;
    return &candidates_.points[ascending ? i : size() - 1 - i];
  }
  const Choice& chosen(std::size_t i) const { return at(i)->choices.back(); }

  /// Whether the constraints hold, for each point that has been run, in order.
  std::vector<bool> held(SweepDatabase& database) const {
    return constraints_hold(goal_.constraints, explored_points(), database);
  }

  std::vector<Explored> explored_points() const {
    std::vector<Explored> points;
    for (const auto& [index, id] : ids_) points.push_back({at(index), id});
    return points;
  }

  /// The first candidate known to keep the constraints (size() if none is) and the last before it known not
  /// to.
  std::pair<std::size_t, std::size_t> bracket(SweepDatabase& database) const {
    const std::vector<bool> holds = held(database);
    std::size_t low = 0, high = size(), k = 0;
    for (const auto& [index, id] : ids_) {
      if (holds[k++]) {
        high = index;
        break;
      }
      low = index;
    }
    return {low, high};
  }

  const Goal& goal_;
  const Candidates& candidates_;
  std::map<std::size_t, std::int64_t> ids_;  ///< of the points that have been run
};

}  // namespace

std::vector<Candidates> candidates_of(const Goal& goal, const SweepFile& sweep, PointMaker& maker,
                                      Problems& problems) {
  std::vector<AxisValue> values = goal.over->values;
  for (const AxisValue& value : values) {
    if (goal.over->parameter && order_of(*goal.over->parameter, value.text)) continue;
    problems.add(value.place, "find.over", "a search needs numbers, and " + value.text + " is none");
    return {};
  }
  std::sort(values.begin(), values.end(), [&](const AxisValue& a, const AxisValue& b) {
    return *order_of(*goal.over->parameter, a.text) < *order_of(*goal.over->parameter, b.text);
  });
  std::vector<std::size_t> sizes;
  for (const Axis& axis : sweep.axes) sizes.push_back(axis.size());
  std::vector<Candidates> all;
  for (const PointMaker::Indices& indices : all_indices(sizes)) {
    Candidates candidates;
    for (const AxisValue& value : values) {
      auto point = maker.make(indices, std::make_pair(goal.over->key, value), problems);
      if (point) candidates.points.push_back(std::move(*point));
    }
    if (candidates.points.size() != values.size()) continue;
    Point others = candidates.points.front();
    others.choices.pop_back();
    candidates.combination = others.name();
    all.push_back(std::move(candidates));
  }
  return all;
}

std::vector<Answer> search(const Goal& goal, const std::vector<Candidates>& candidates, Explorer& explorer) {
  std::vector<Bisection> searches;
  for (const Candidates& c : candidates) searches.emplace_back(goal, c);
  while (true) {
    // All combinations go on side by side, so that several jobs have work.
    std::vector<const Point*> points;
    std::vector<Bisection*> whose;
    for (Bisection& one : searches) {
      for (const Point* point : one.next(explorer.database())) {
        points.push_back(point);
        whose.push_back(&one);
      }
    }
    if (points.empty()) break;
    const std::vector<Explored> explored = explorer.explore(points, "find");
    if (explorer.stopped()) return {};
    for (std::size_t i = 0; i < explored.size(); ++i) whose[i]->explored(explored[i]);
  }
  std::vector<Answer> answers;
  for (Bisection& one : searches) answers.push_back(one.answer(explorer.database()));
  return answers;
}

}  // namespace fredsim::tb
