#pragma once

#include <string>
#include <vector>

#include "tb/sweep/explorer.h"
#include "tb/sweep/find.h"
#include "tb/sweep/point.h"
#include "tb/sweep/sweep_file.h"

namespace fredsim::tb {

/// All points that a sweep can need, made and checked before the first one runs.
struct SweepPlan {
  std::vector<Point> points;  ///< of the axes; none if all goals have values of their own
  std::vector<std::vector<Candidates>> candidates;  ///< by goal; empty for one that chooses among the points

  /// Every point once, of the axes first.
  std::vector<const Point*> all() const;
};

/// Throws InputError with every problem, one a line.
SweepPlan plan_sweep(const SweepFile& sweep, const std::string& program_version);

/// Runs what is to be run, looks for the answers, writes the CSV beside the database, and answers what a
/// person wants to know. `exit_code` is 0 if all points are done and right, 1 if one has wrong data, 3 if one
/// failed, is unfinished or was not run.
std::string run_sweep(const SweepFile& sweep, const SweepPlan& plan, Explorer& explorer,
                      const std::string& program_version, int& exit_code);

}  // namespace fredsim::tb
