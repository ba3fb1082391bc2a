#pragma once

#include <optional>
#include <string>
#include <vector>

#include "tb/sweep/database.h"
#include "tb/sweep/explorer.h"
#include "tb/sweep/goal.h"

namespace fredsim::tb {

/// What a goal calls `name` at a point: the number of a value that varies, or a result. Nothing if the point
/// has none, or no result that is right and complete.
std::optional<double> goal_value(const Explored& point, const std::string& name, SweepDatabase& database);

/// Says that no point has one of the names that a goal uses, in words; empty if all are there.
std::string missing_result(const Goal& goal, const std::vector<Explored>& points, SweepDatabase& database);

/// Whether all constraints hold, for each point; "best" is that of these points. They do not hold at a point
/// without the result in question.
std::vector<bool> constraints_hold(const std::vector<Constraint>& constraints,
                                   const std::vector<Explored>& points, SweepDatabase& database);

}  // namespace fredsim::tb
