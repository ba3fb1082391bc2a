#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "hw/core/quantity.h"
#include "hw/link/packet.h"

namespace fredsim::hw {

/// What becomes of a packet on a link.
enum class Fate : std::uint8_t { delivered, damaged, dropped };

/// What a receiver says of the packets it expects.
enum class Answer : std::uint8_t { ack, nack };

/// The faults of one link and direction, as configured.
struct LinkFaultPlan {
  /// Counted from 0, both included.
  struct Range {
    std::uint64_t first = 0;
    std::uint64_t last = 0;
  };
  struct Window {
    Time from;
    Time until;  ///< Time::max(): for good
  };
  /// One packet of a flow, when it crosses for the first time.
  struct Single {
    FlowId flow;
    std::uint64_t sequence = 0;
  };

  double bit_error_rate = 0;  ///< probability that a bit is wrong, each for itself
  std::vector<Range>
      packets;              ///< damaged: data packets in the order in which they cross, resent ones counted
  std::vector<Range> acks;  ///< likewise of ACKs, and of NACKs
  std::vector<Range> nacks;
  std::vector<Single> singles;
  std::vector<Window> down;  ///< what is on the link then, from head to tail, is dropped

  bool empty() const {
    return bit_error_rate == 0 && packets.empty() && acks.empty() && nacks.empty() && singles.empty() &&
           down.empty();
  }
};

/// Decides about everything that crosses one link, in the order in which it crosses.
class LinkFaults {
 public:
  /// The random numbers depend on `seed` and the link's name alone, so that what happens on other links
  /// changes nothing here.
  LinkFaults(LinkFaultPlan plan, std::uint64_t seed, std::string_view link);

  /// A packet whose head enters the link at `enters` and whose tail leaves it at `leaves`.
  Fate packet(const PacketHeader& header, Time enters, Time leaves);
  /// An answer of `bytes`, likewise.
  Fate answer(Answer, std::uint32_t bytes, Time enters, Time leaves);

 private:
  /// Numbered things that a script names: how far it has come.
  class Script {
   public:
    explicit Script(std::vector<LinkFaultPlan::Range> ranges);
    /// Whether the next one is named.
    bool next();

   private:
    std::vector<LinkFaultPlan::Range> ranges_;
    std::size_t at_ = 0;
    std::uint64_t count_ = 0;
  };

  bool down(Time enters, Time leaves) const;
  bool bit_error(std::uint32_t bytes);
  bool single(const PacketHeader& header);

  LinkFaultPlan plan_;
  Script packets_, acks_, nacks_;
  std::uint64_t state_;
  std::uint32_t bytes_ = 0;  ///< of the packet for which `probability_` was computed last
  double probability_ = 0;
};

}  // namespace fredsim::hw
