#pragma once

#include <cstdint>

#include "hw/core/ids.h"
#include "hw/link/packet.h"

namespace fredsim::agg {

/// The numbers of the flows of a WAN, and what its control packets say.
///   from * sites + to           unicasts: control packets, packets resent, copies where nothing is multicast
///   behind those, by count      sums on the way from an aggregator to its site: so many updates are in it;
///                               and sums that were closed without all their updates
///   behind those, by round      the multicast of a site in a round: round * sites + site
/// A data packet's operation is its round, its source the site whose update it is part of, and its sequence
/// its number in the update, also when it is resent.
class WanFlows {
 public:
  explicit WanFlows(std::uint32_t sites) : sites_(sites) {}

  hw::FlowId unicast(std::uint32_t from, std::uint32_t to) const { return hw::FlowId(from * sites_ + to); }
  hw::FlowId sum(std::uint32_t updates, bool closed) const {
    return hw::FlowId(sums() + (closed ? most_updates : 0) + updates);
  }
  hw::FlowId multicast(std::uint32_t round, std::uint32_t site) const {
    return hw::FlowId(multicasts() + round * sites_ + site);
  }
  std::size_t count(std::uint32_t rounds) const { return multicasts() + std::size_t{rounds} * sites_; }

  bool is_multicast(hw::FlowId flow) const { return flow.value >= multicasts(); }
  bool is_sum(hw::FlowId flow) const { return flow.value >= sums() && flow.value < multicasts(); }
  bool is_closed(hw::FlowId flow) const { return is_sum(flow) && flow.value - sums() >= most_updates; }
  std::uint32_t updates_in(hw::FlowId flow) const { return (flow.value - sums()) % most_updates; }

 private:
  static constexpr std::uint32_t most_updates = 65;
  std::uint32_t sums() const { return sites_ * sites_; }
  std::uint32_t multicasts() const { return sums() + 2 * most_updates; }

  std::uint32_t sites_;
};

/// What a control packet asks of a source; it stands where a data packet has its offset. The header's
/// sequence is the packet's number, or how many packets have passed.
enum class WanControl : std::uint64_t {
  resend,  ///< packet `sequence` of round `operation`
  passed,  ///< all packets of round `operation` below `sequence` have passed the sender's aggregator
};

inline WanControl control_of(const hw::Payload& payload) {
  return static_cast<WanControl>(payload.get_address());
}

}  // namespace fredsim::agg
