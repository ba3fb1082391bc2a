#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "hw/link/context.h"
#include "hw/link/stall_watch.h"
#include "switch/fabric/switch_statistics.h"

namespace fredsim::sw {

/// Why a flow whose packet stands at a switch does not fire.
enum class StallCause : std::uint8_t {
  none,
  partner,    ///< operands are missing
  turn,       ///< an earlier flow has yet to pass the up port
  route_set,  ///< the switch serves or changes to another route set
  staging,    ///< an output has no room
};

/// Books how long flows stall and why, into the statistics, the probes and the stall watch.
class Stalls {
 public:
  /// `path` is that of the control unit; all other arguments must outlive it.
  Stalls(hw::Context& context, const std::string& path, SwitchStatistics& statistics);

  void resize(std::size_t flows) { flows_.resize(flows); }

  /// The flow stalls from `since` on; one that stalls for another reason does so no more.
  void begin(std::size_t flow, StallCause cause, hw::Time since);
  /// The flow, if it stalls, does so until `at`.
  void settle(std::size_t flow, hw::Time at);
  /// Whether somebody looks at stalls as they happen.
  bool watched(StallCause cause) { return probe(cause).recorded() || context_.stalls; }

 private:
  struct Stall {
    StallCause cause = StallCause::none;
    hw::Time since;
    hw::StallWatch::Ticket ticket = 0;
  };
  hw::Probe& probe(StallCause cause);

  hw::Context& context_;
  SwitchStatistics& statistics_;
  std::array<hw::Probe, 3> probes_;  ///< partner (and turn), route set, staging
  std::vector<Stall> flows_;
};

}  // namespace fredsim::sw
