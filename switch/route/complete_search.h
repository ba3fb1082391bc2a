#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "switch/route/coloring.h"
#include "switch/route/routing.h"
#include "switch/route/structure.h"

namespace fredsim::sw {

/// The routing search through all levels of FRED_m(P) for one P and m. It remembers what it found out about
/// middle switches, so several questions about the same switch are best put to one object.
class CompleteSearch {
 public:
  struct Result {
    bool routable = false;
    std::vector<Route> routes;  ///< when routable: one for each flow, of the levels searched
    FlowSet core = 0;           ///< when not: flows that cannot be routed together on their own
  };

  /// Levels from `levels` on are taken to route anything; `levels` = Structure::levels() is the whole switch.
  CompleteSearch(std::uint32_t middle, std::uint32_t levels, std::uint64_t step_limit);

  /// Throws StepCounter::LimitReached when all questions so far took more steps than the limit.
  const Result& solve(const std::vector<FlowPorts>& flows) { return solve(0, flows); }
  std::uint64_t steps() const { return steps_.steps(); }

 private:
  const Result& solve(std::uint32_t level, const std::vector<FlowPorts>& flows);
  Result search(std::uint32_t level, const std::vector<FlowPorts>& flows);

  std::uint32_t middle_;
  std::uint32_t levels_;
  StepCounter steps_;
  std::vector<std::map<std::vector<FlowPorts>, Result>> known_;  ///< for each level
};

}  // namespace fredsim::sw
