#pragma once

#include <optional>
#include <string>
#include <vector>

#include "tb/sweep/point.h"
#include "tb/sweep/run_outcome.h"

namespace fredsim::tb {

/// What runs that a batch system makes leave in a folder, three files a point, named after its key: its
/// result, what it said, and its exit code, which is written last.
class JobFiles {
 public:
  /// `folder` is made absolute: a batch system may start runs anywhere.
  explicit JobFiles(const std::string& folder);

  /// A line for a shell that runs a point in the present working directory and leaves the files.
  std::string command(const std::string& program, const Point& point) const;
  /// How the run of a point ended; nothing if its exit code is not there.
  std::optional<RunOutcome> outcome(const Point& point) const;
  /// Removes the files of a point.
  void remove(const Point& point) const;
  /// Makes the folder. Throws InputError if that cannot be.
  void make() const;

  const std::string& folder() const { return folder_; }

 private:
  std::string file(const Point& point, const char* what) const;

  std::string folder_;
};

}  // namespace fredsim::tb
