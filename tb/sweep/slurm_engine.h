#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "tb/sweep/engine.h"
#include "tb/sweep/job_files.h"
#include "tb/sweep/process_pool.h"

namespace fredsim::tb {

/// Runs points as job arrays of Slurm (sbatch, squeue, scancel), `jobs` at a time if that is given, and
/// collects them as they end. An interrupted sweep cancels what it has submitted.
class SlurmEngine : public Engine {
 public:
  /// `options` go to sbatch, without their dashes: partition=NAME.
  SlurmEngine(std::string program, JobFiles files, std::size_t jobs, std::vector<std::string> options);

  bool run(const std::vector<Task>& tasks,
           const std::function<void(std::int64_t id, const RunOutcome&)>& ended) override;

 private:
  /// Submits tasks `from` to `to` as one array; answers its job.
  std::string submit(const std::vector<Task>& tasks, std::size_t from, std::size_t to);
  bool under_way(const std::string& job);
  /// What a command of Slurm prints. Throws InputError with what it said if it fails, unless `may_fail`.
  std::string ask(const std::vector<std::string>& words, bool may_fail = false);
  /// Ends an array that an earlier sweep has left behind when it was killed.
  void cancel_earlier();
  /// Where the job of the array under way is noted.
  std::string job_file() const { return files_.folder() + "/job"; }
  /// Hands on the runs that have ended; answers the others.
  std::vector<Task> collect(const std::vector<Task>& tasks,
                            const std::function<void(std::int64_t id, const RunOutcome&)>& ended);
  std::size_t largest_array();
  bool wait_for(const std::string& job, std::vector<Task> waiting,
                const std::function<void(std::int64_t id, const RunOutcome&)>& ended);

  std::string program_;
  JobFiles files_;
  std::size_t jobs_;
  std::vector<std::string> options_;
  std::unique_ptr<ProcessPool> pool_;  ///< while points are run
  std::size_t all_ = 0, done_ = 0;     ///< tasks, for the progress bar
};

}  // namespace fredsim::tb
