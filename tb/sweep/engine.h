#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "tb/sweep/point.h"
#include "tb/sweep/run_outcome.h"

namespace fredsim::tb {

/// A point that has to be run.
struct Task {
  std::int64_t id = 0;
  const Point* point = nullptr;
};

/// What runs points.
class Engine {
 public:
  virtual ~Engine() = default;
  /// Runs all tasks and calls `ended` for each as soon as it knows how that ended. False if the user has
  /// ended it before all were done.
  virtual bool run(const std::vector<Task>& tasks,
                   const std::function<void(std::int64_t id, const RunOutcome&)>& ended) = 0;
};

/// The text of a file; empty if there is none. No more than `most` bytes.
std::string file_text(const std::string& path, std::size_t most);

/// The longest result and message that are read.
constexpr std::size_t most_result_bytes = 1'000'000'000;
constexpr std::size_t most_message_bytes = 10'000;

}  // namespace fredsim::tb
