#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "tb/tests/system/simulate.h"
#include "tb/verify/coverage.h"

namespace fredsim::tb::test {

/// Expects of a result that on every link what was sent has been delivered, damaged or dropped, and that the
/// sums are the links'.
void expect_counters(const nlohmann::json& result);

/// Sum of a key over all links.
std::uint64_t of_all_links(const nlohmann::json& result, const std::string& key);

/// One to six groups of 1 to 20 NPUs at once on Fred-B or Fred-D, overlapping or not, each with its class,
/// that do collectives of all kinds with 0 B to 1 MiB, while every link loses packets at random.
class LossyJobs {
 public:
  LossyJobs(std::uint64_t seed, const std::string& reliability);

  Replay replay;
  /// What is tried, an entry for each operation.
  std::vector<std::vector<std::string>> choices;
  static Coverage coverage();
};

/// Runs the jobs of so many seeds and expects right data, and counters that add up, of all.
void run_lossy_jobs(std::uint64_t seed, int runs, const std::string& reliability, Coverage& coverage);

}  // namespace fredsim::tb::test
