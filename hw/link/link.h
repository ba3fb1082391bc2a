#pragma once

#include <memory>
#include <optional>
#include <string>
#include <systemc>
#include <vector>

#include "hw/core/quantity.h"
#include "hw/link/context.h"
#include "hw/link/faults.h"
#include "hw/link/fifo.h"
#include "hw/link/link_retry.h"
#include "hw/link/protocol.h"
#include "hw/link/serialization.h"

namespace fredsim::hw {

struct LinkConfig {
  Bandwidth bandwidth;
  Time latency;  ///< one way, of packets and of credits
};

/// One direction of a channel between two ports: adds its latency to what passes, counts and shows it. The
/// sender serialises packets at the link's bandwidth.
///
/// It loses nothing unless it is told to. A damaged packet arrives as a fresh payload over the same data,
/// marked as damaged. A dropped one does not arrive; its credit comes back as if it had been taken at once,
/// since a real receiver repeats the total of its credits and so makes up for a lost one.
class Link : public sc_core::sc_module, private PacketSink, private CreditSink, private LinkRetry::Wire {
 public:
  struct Traffic {
    std::uint64_t packets = 0;  ///< of data, resent ones included
    std::uint64_t bytes = 0;    ///< of data packets, headers included
    std::uint64_t control_packets = 0;
    std::uint64_t control_bytes = 0;
    std::uint64_t damaged = 0;  ///< of both kinds; the others have been delivered, or will be
    std::uint64_t dropped = 0;
    std::uint64_t delivered = 0;
  };

  PacketTargetSocket in;
  PacketInitiatorSocket out;

  Link(sc_core::sc_module_name name, Context& context, const std::string& path, const LinkConfig& config);

  /// Before time starts: what goes wrong on this link.
  void impair(LinkFaultPlan plan, std::uint64_t seed);
  /// Before time starts: the link resends what is lost, with answers over `back`, the other direction. Its
  /// timeout is twice the time from a packet's head to its answer.
  void resend(Link& back, std::uint64_t attempts);

  const std::string& path() const { return path_; }
  const LinkConfig& config() const { return config_; }
  /// The packets whose heads have entered before `end`, which is now or later.
  Traffic traffic(Time end) const;
  /// How long packets have been entering the link up to `end`; the last one may still be at it.
  Time busy(Time end) const;
  /// Null unless the link resends.
  const LinkRetry* retry() const { return retry_.get(); }

 private:
  /// A packet whose head was announced before it entered, and whose tail has yet to.
  struct Ahead {
    Time head, tail;
    std::uint32_t bytes = 0;
    bool control = false;
    Fate fate = Fate::delivered;
  };
  /// A packet as the sender knows it, and as it arrives.
  struct Damaged {
    PacketRef sent, arrives;
  };

  void packet_arrives(PortId port, Payload& payload, Time at) override;
  PortStatus port_status(PortId port) override;
  void credit_returns(PortId port, Payload& payload, Time at) override;
  Fate cross(const Payload& payload, Time at, bool again) override;
  void deliver(Payload& payload, Time at) override;
  Fate answer(Answer, std::uint32_t bytes, Time at) override;

  Fate enter(const PacketHeader& header, Time at);
  void pass_or_lose(Payload& payload, Time at);

  Context& context_;
  std::string path_;
  LinkConfig config_;
  Serialization serialization_;
  Traffic traffic_;  ///< with what has been announced
  Time busy_time_;   ///< as well
  Time last_tail_;   ///< when the last packet has entered, or will have
  Fifo<Ahead> ahead_;
  std::optional<LinkFaults> faults_;
  std::unique_ptr<LinkRetry> retry_;
  Link* back_ = nullptr;          ///< the other direction, if the link resends
  std::vector<Damaged> damaged_;  ///< not credited yet
  Probe busy_;
  Probe sequence_;
  std::optional<Probe> lost_;  ///< damaged or dropped so far
};

}  // namespace fredsim::hw
