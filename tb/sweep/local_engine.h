#pragma once

#include <cstddef>
#include <string>

#include "tb/sweep/engine.h"

namespace fredsim::tb {

/// Runs points as processes of this machine, `jobs` at a time.
class LocalEngine : public Engine {
 public:
  /// `program` is fredsim; what a run writes goes to `folder` until it is stored.
  LocalEngine(std::string program, std::string folder, std::size_t jobs);

  bool run(const std::vector<Task>& tasks,
           const std::function<void(std::int64_t id, const RunOutcome&)>& ended) override;

 private:
  std::string program_;
  std::string folder_;
  std::size_t jobs_;
};

}  // namespace fredsim::tb
