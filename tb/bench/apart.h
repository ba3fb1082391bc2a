#pragma once

#include <cstdint>
#include <functional>

namespace fredsim::tb::bench {

/// What one simulation has cost.
struct Figures {
  double elaboration_s = 0;  ///< processor time to plan, and to make and bind all modules
  double run_s = 0;          ///< processor time from the first event to the results
  std::uint64_t links = 0;
  std::uint64_t packet_hops = 0;
  std::uint64_t kernel_events = 0;
  std::uint64_t allocations = 0;  ///< calls of operator new during the run
  std::uint64_t peak_rss_bytes = 0;
};

/// Carries out `work` in a process of its own, since SystemC simulates once a process, and gives what it
/// returns with the peak memory of that process. Throws std::runtime_error with the message of what it
/// throws.
Figures apart(const std::function<Figures()>& work);

/// Processor time of this process so far, in seconds: what else runs on the machine is not in it.
double processor_seconds();

}  // namespace fredsim::tb::bench
