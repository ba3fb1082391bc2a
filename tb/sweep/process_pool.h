#pragma once

#include <sys/types.h>

#include <chrono>
#include <csignal>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace fredsim::tb {

/// How a process ended.
struct Ended {
  std::size_t id = 0;
  std::optional<int> exit_code;  ///< nothing: a signal ended it
  int signal = 0;
  double wall_s = 0;
  double cpu_s = 0;
  std::int64_t peak_rss_bytes = 0;
};

/// Processes at work side by side. None outlives the pool, nor this process, however that ends. While a pool
/// lives, SIGINT and SIGTERM do not end this process but are told by `stopped`.
class ProcessPool {
 public:
  ProcessPool();
  ~ProcessPool();
  ProcessPool(const ProcessPool&) = delete;
  ProcessPool& operator=(const ProcessPool&) = delete;

  /// Starts `program` with `arguments`; nothing on its standard input, standard output and error in files.
  /// `id` is for the caller. Throws InternalError when the system refuses.
  void start(std::size_t id, const std::string& program, const std::vector<std::string>& arguments,
             const std::string& output, const std::string& error);
  std::size_t running() const { return running_.size(); }
  /// One that has ended; waits for it no longer than `patience`, and not on after a signal that asks for an
  /// end.
  std::optional<Ended> wait(std::chrono::milliseconds patience);
  /// Waits so long, or until a signal asks for an end.
  void pause(std::chrono::milliseconds time);
  /// The signal that asked for an end, 0 for none.
  int stopped() const { return stopped_; }

 private:
  struct Running {
    std::size_t id;
    std::chrono::steady_clock::time_point begin;
  };
  std::optional<Ended> ended();
  /// Waits for a signal until `end`; whether there can be more before it.
  bool wait_signal(std::chrono::steady_clock::time_point end);

  std::map<pid_t, Running> running_;
  sigset_t watched_{}, before_{};
  int stopped_ = 0;
};

}  // namespace fredsim::tb
