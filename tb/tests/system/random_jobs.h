#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "tb/tests/system/simulate.h"
#include "tb/verify/coverage.h"

namespace fredsim::tb::test {

/// One to six jobs at once on Fred-B or Fred-D: groups of NPUs, disjoint or not, each with its class, that do
/// collective after collective. Every NPU is ready for them at random times, and so in an order of its own.
class RandomJobs {
 public:
  explicit RandomJobs(std::uint64_t seed);

  Replay replay;  ///< timing and data, monitors on
  /// Groups overlap, and of four jobs or more two are of one class.
  bool can_deadlock() const { return choice_[2] == "overlapping" && choice_[3] >= "4"; }
  /// What is tried: system, skew, groups, jobs, classes; then `planes`, which the result tells.
  std::vector<std::string> choice(const nlohmann::json& result) const;
  static Coverage coverage();

 private:
  std::vector<std::string> choice_;
};

/// All groups of a strategy at once, each NPU up to `skew_ps` late, twice.
Replay strategy(std::uint32_t mp, std::uint32_t pp, std::uint32_t dp, std::uint32_t skew_ps,
                std::uint64_t seed);
/// Calls f(mp, pp, dp) for all that fit on the wafer and have something to do.
template <class F>
void for_each_strategy(F f) {
  for (std::uint32_t mp = 1; mp <= 20; ++mp) {
    for (std::uint32_t pp = 1; mp * pp <= 20; ++pp) {
      for (std::uint32_t dp = 1; mp * pp * dp <= 20; ++dp) {
        if (mp * pp * dp > 1) f(mp, pp, dp);
      }
    }
  }
}

/// Runs the jobs of so many seeds, expects right data and the closed form's traffic of all, and counts what
/// they cover.
void run_random_jobs(std::uint64_t seed, int runs, Coverage& coverage);

}  // namespace fredsim::tb::test
