#pragma once

#include <chrono>

namespace fredsim::tb {

/// A progress bar on standard error, shown on a terminal only and only when a run takes longer than a second.
class Progress {
 public:
  Progress();
  ~Progress();

  /// `share` of the work done, 0 to 1.
  void show(double share);

 private:
  using Clock = std::chrono::steady_clock;

  bool terminal_;
  bool shown_ = false;
  Clock::time_point begin_ = Clock::now();
  Clock::time_point next_;
};

}  // namespace fredsim::tb
