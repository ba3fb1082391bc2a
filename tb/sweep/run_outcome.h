#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace fredsim::tb {

/// How the run of a point ended.
struct RunOutcome {
  std::optional<int> exit_code;  ///< nothing: a signal ended it, or it was never run
  std::string result;            ///< the result file; empty if it wrote none
  std::string error;             ///< what it said on standard error, or why it has no exit code
  std::optional<double> wall_s;  ///< of the process
  std::optional<double> cpu_s;
  std::optional<std::int64_t> peak_rss_bytes;
};

}  // namespace fredsim::tb
