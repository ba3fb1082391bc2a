#pragma once

#include "tb/sweep/engine.h"
#include "tb/sweep/job_files.h"

namespace fredsim::tb {

/// Runs nothing: takes what a batch system has left. Points of which there is nothing keep waiting.
class CollectEngine : public Engine {
 public:
  explicit CollectEngine(JobFiles files) : files_(std::move(files)) {}

  bool run(const std::vector<Task>& tasks,
           const std::function<void(std::int64_t id, const RunOutcome&)>& ended) override;

 private:
  JobFiles files_;
};

}  // namespace fredsim::tb
