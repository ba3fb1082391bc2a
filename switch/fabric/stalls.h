#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "hw/core/records.h"
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

  /// Flows are numbered from 0 in the order in which they are added.
  void add(hw::VirtualChannel vc) { flows_.emplace_back().vc = vc; }

  /// The flow stalls from `since` on; one that stalls for another reason does so no more.
  void begin(std::size_t flow, StallCause cause, hw::Time since);
  /// The flow, if it stalls, does so until `at`.
  void settle(std::size_t flow, hw::Time at);
  /// The flow's operands of a packet have come from `first` to `last`.
  void partners_came(std::size_t flow, hw::Time first, hw::Time last);
  /// Adds what lasts still, up to `end` (now or later).
  void add_unsettled(hw::Time end, SwitchStatistics& statistics) const;
  /// How long the flow has been ready while another route set was served, up to `end` (now or later).
  hw::TimeSum other_route_set(std::size_t flow, hw::Time end) const;
  StallCause cause(std::size_t flow) const { return flows_[flow].cause; }
  /// Whether somebody looks at stalls as they happen.
  bool watched(StallCause cause) { return probe(cause).recorded() || context_.stalls; }

 private:
  struct Stall {
    hw::VirtualChannel vc = hw::VirtualChannel::dp;
    StallCause cause = StallCause::none;
    hw::Time since;
    hw::StallWatch::Ticket ticket = 0;
    hw::TimeSum other_route_set;
  };
  static void book(const Stall& stall, hw::Time waited, SwitchStatistics& statistics);
  hw::Probe& probe(StallCause cause);

  hw::Context& context_;
  std::string path_;
  SwitchStatistics& statistics_;
  std::array<hw::Probe, 3> probes_;  ///< partner (and turn), route set, staging
  std::vector<Stall> flows_;
};

}  // namespace fredsim::sw
