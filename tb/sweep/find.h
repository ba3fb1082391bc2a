#pragma once

#include <string>
#include <vector>

#include "tb/sweep/database.h"
#include "tb/sweep/explorer.h"
#include "tb/sweep/goal.h"
#include "tb/sweep/point.h"

namespace fredsim::tb {

/// The points among which a goal searches, for one combination of the axes.
struct Candidates {
  std::string combination;
  std::vector<Point> points;  ///< by the searched value, ascending
};

/// The points of a goal that has values to search `over`, all checked; what is wrong goes to `problems`.
std::vector<Candidates> candidates_of(const Goal& goal, const SweepFile& sweep, PointMaker& maker,
                                      Problems& problems);

/// The answers for a goal with values to search: by bisection, which takes it that once the constraints hold
/// they hold for all values further from what is wanted. Where a run contradicts that, the answer says so.
std::vector<Answer> search(const Goal& goal, const std::vector<Candidates>& candidates, Explorer& explorer);

/// The answers for a goal among points that have been run.
std::vector<Answer> choose(const Goal& goal, const std::vector<Explored>& points, SweepDatabase& database);

}  // namespace fredsim::tb
