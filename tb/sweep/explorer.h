#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "tb/sweep/database.h"
#include "tb/sweep/engine.h"
#include "tb/sweep/point.h"

namespace fredsim::tb {

/// A point that has a place in the database.
struct Explored {
  const Point* point = nullptr;
  std::int64_t id = 0;
};

/// Runs points of a sweep, those only that have no result yet.
class Explorer {
 public:
  Explorer(SweepDatabase& database, Engine& engine) : database_(database), engine_(engine) {}

  /// Adds points to the database and runs what has to be run. Points without a result are not tried twice in
  /// one sweep. Answers the points with their ids, in order; also when the user has ended the sweep.
  std::vector<Explored> explore(const std::vector<const Point*>& points, const char* origin);

  bool stopped() const { return stopped_; }
  std::size_t runs() const { return runs_; }  ///< that have ended
  SweepDatabase& database() { return database_; }

 private:
  SweepDatabase& database_;
  Engine& engine_;
  std::set<std::int64_t> tried_;
  std::size_t runs_ = 0;
  bool stopped_ = false;
};

}  // namespace fredsim::tb
