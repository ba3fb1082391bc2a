#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "tb/configuration/configuration.h"
#include "tb/configuration/parameter.h"
#include "tb/configuration/problems.h"
#include "tb/sweep/sweep_file.h"

namespace fredsim::tb {

/// The value of a key that varies, at one point.
struct Choice {
  std::string key;
  std::string text;
  std::optional<double> number;
};

/// A parameter in effect. A sweep has many, so this holds no more than it must.
struct ParameterValue {
  const Parameter* parameter;
  std::string value;  ///< as a user would write it
};

/// One run of a sweep.
struct Point {
  std::vector<Choice> choices;  ///< in the order of the axes
  std::string config;
  std::optional<std::string> trace, schedule;
  std::vector<std::string> arguments;      ///< of fredsim: run CONFIG ..., without --json
  std::vector<ParameterValue> parameters;  ///< all that play a part
  std::string key;                         ///< equal only for runs that must give the same result

  /// "buffer.dp 24 KiB, link.latency 3.3 ns"; empty without choices.
  std::string name() const;
  /// arguments as a shell takes them, "fredsim" in front.
  std::string command() const;
};

/// A word as a shell takes it.
std::string shell_word(const std::string& word);

/// Makes the points of a sweep and checks each as far as that goes without running it: its configuration, its
/// trace or schedule.
class PointMaker {
 public:
  PointMaker(const SweepFile& sweep, std::string program_version);

  /// The values chosen for the axes: an index for each.
  using Indices = std::vector<std::size_t>;
  /// A point; `searched` is a key with a value beside those of the axes. Nothing if something is wrong, which
  /// is added to `problems`, once if it is the same for several points.
  std::optional<Point> make(const Indices& indices,
                            const std::optional<std::pair<std::string, AxisValue>>& searched,
                            Problems& problems);

 private:
  struct Draft;
  Draft draft(const Indices& indices, const std::optional<std::pair<std::string, AxisValue>>& searched) const;
  void check_files(const Draft& draft, const Configuration& configuration);
  const std::string& content(const std::string& path);
  std::string key_of(const Draft& draft, const Configuration& configuration,
                     const std::vector<ParameterValue>& values);

  const SweepFile& sweep_;
  std::string version_;
  std::set<std::string> checked_;               ///< traces and schedules, with what they were checked for
  std::map<std::string, std::string> content_;  ///< fingerprint by path
  std::set<std::string> said_;                  ///< problems
};

/// All combinations of `sizes`, the last index fastest.
std::vector<PointMaker::Indices> all_indices(const std::vector<std::size_t>& sizes);

}  // namespace fredsim::tb
