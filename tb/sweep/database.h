#pragma once

#include <cstdint>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "tb/sweep/point.h"
#include "tb/sweep/run_outcome.h"
#include "tb/sweep/sqlite.h"
#include "tb/sweep/sweep_file.h"

namespace fredsim::tb {

/// What a goal has found for one combination of the values of the axes.
struct Answer {
  std::string combination;  ///< as Point::name has it; empty without axes
  std::string key;          ///< parameter or result
  std::string value;
  std::optional<double> number;
  std::optional<std::int64_t> point;  ///< that has it; nothing if there is no answer
  std::string reason;                 ///< then why
  std::vector<std::int64_t> rests_on;
};

/// How many points are in which state.
struct PointCounts {
  std::size_t points = 0, waiting = 0, failed = 0, ok = 0, wrong_data = 0, unfinished = 0, stopped = 0;
};

struct FailedPoint {
  std::int64_t number = 0;
  std::string name;  ///< its values
  std::string what;  ///< status, or the reason
};

/// The database of a sweep (docs/sweep-database.md) in a folder of its own, which nobody else writes to as
/// long as this lives.
class SweepDatabase {
 public:
  /// Makes the folder and the database, or goes on with the one there is. Throws InputError if there is one
  /// and `resume` is false, if it is none of ours, and if another sweep is at work in the folder.
  SweepDatabase(std::string folder, bool resume);
  ~SweepDatabase();
  SweepDatabase(const SweepDatabase&) = delete;
  SweepDatabase& operator=(const SweepDatabase&) = delete;

  /// Notes what the sweep is. Points of before no longer belong to it until they are added again.
  void begin(const SweepFile& sweep, const std::string& program_version);
  /// Adds points behind those there are; one that is there already keeps its id and its result, and one that
  /// was added in this sweep keeps its number. Answers the ids.
  std::vector<std::int64_t> add(const std::vector<const Point*>& points, const char* origin);
  /// Whether there is a result.
  bool is_done(std::int64_t id);
  /// Whether the result is neither wrong nor unfinished.
  bool is_right(std::int64_t id);
  void store(std::int64_t id, const RunOutcome& outcome);
  void store(std::size_t goal, const std::string& text, const std::vector<Answer>& answers);

  /// A metric, or a result by its path; nothing if the point has no such thing.
  std::optional<double> value(std::int64_t id, const std::string& name);
  PointCounts counts();
  /// Points without a result, or with wrong or unfinished ones, in order.
  std::vector<FailedPoint> failures();
  /// Names of the sweep file's results that no point has.
  std::vector<std::string> empty_results(const SweepFile& sweep);
  /// The view `summary` as CSV.
  std::string csv();
  /// The number of a point.
  std::int64_t point_number(std::int64_t id);

  const std::string& folder() const { return folder_; }
  std::string path() const;

 private:
  void lock();
  void note(const std::string& name, const std::string& value);
  void store_metrics(std::int64_t id, const nlohmann::ordered_json& result);

  std::string folder_;
  int lock_ = -1;
  std::optional<Sqlite> sql_;
  std::map<std::string, std::string> result_paths_;  ///< by the name the sweep file gives
  std::int64_t next_number_ = 1;
};

}  // namespace fredsim::tb
