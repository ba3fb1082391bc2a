#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "tb/tests/wan/random_wan.h"
#include "tb/verify/coverage.h"

namespace fredsim::tb::test {

/// A random WAN, schedule and aggregator, and what goes wrong there.
class RandomWan {
 public:
  explicit RandomWan(std::uint64_t seed);

  /// Replays it in this process; expects right data, or that the run has not finished and says why. Returns
  /// the reasons.
  std::vector<std::string> expect_right_or_reason() const;
  const std::vector<std::string>& choice() const { return choice_; }
  static Coverage coverage();

 private:
  std::vector<std::string> choice_;
  std::vector<std::string> sets_;
  std::string csv_;
  std::vector<agg::Round> schedule_;
  std::uint32_t failing_ = 0;
  std::uint64_t fails_after_ = 0;
  std::uint64_t elements_ = 0;  ///< of an update
  std::uint32_t sites_ = 0;
};

/// Runs so many seeds, each in a process of its own, and counts what they cover.
void run_random_wans(std::uint64_t seed, int runs, Coverage& coverage);

}  // namespace fredsim::tb::test
