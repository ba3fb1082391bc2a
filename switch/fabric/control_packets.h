#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "hw/link/context.h"
#include "switch/fabric/interconnect.h"
#include "switch/fabric/switch_plan.h"

namespace fredsim::sw {

/// The part of the control unit that handles control packets, which never enter the interconnect: a barrier's
/// packets are counted, and when the last one is here, one goes on: up, or down to each member. Where flows
/// are made reliable a second packet of a member asks for what went on, which is then sent again.
class ControlPackets {
 public:
  /// `owner` names the control unit in messages; `latency` passes between the last head coming in and the
  /// heads going out.
  ControlPackets(hw::Context& context, std::string owner, const SwitchPlan& plan, hw::Time latency);

  /// A control packet's head arrives at `at` (now or later). Appends what leaves because of it to `emerged`.
  void arrives(hw::PortId port, const hw::Payload& payload, hw::Time at, std::vector<Emergence>& emerged);

  /// Barriers that some members have reached and others not: flow and the ports still missing.
  struct Unfinished {
    hw::FlowId flow;
    std::vector<hw::PortId> missing;
  };
  std::vector<Unfinished> unfinished() const;

 private:
  /// A barrier's way up through the switch, or down.
  struct Barrier {
    const SwitchFlow* flow = nullptr;
    std::uint64_t seen = 0;  ///< bit p: the packet of port p
    std::size_t count = 0;
    hw::Time latest;
    hw::PacketHeader release;  ///< as of a sum: from the first member, injected when the last one was
    hw::PortId first{UINT32_MAX};
  };

  Barrier& barrier_of(hw::FlowId flow, hw::PortId port, hw::Time at);
  void release(const Barrier& barrier, hw::Time at, std::vector<Emergence>& emerged);

  hw::Context& context_;
  std::string owner_;
  hw::Time latency_;
  std::vector<Barrier> barriers_;  ///< ascending flow ids
};

}  // namespace fredsim::sw
