#pragma once

#include <array>
#include <string>
#include <systemc>
#include <vector>

#include "hw/core/quantity.h"
#include "hw/link/context.h"
#include "hw/link/fifo.h"
#include "hw/link/packet.h"
#include "hw/link/protocol.h"
#include "hw/link/serialization.h"
#include "hw/link/stall_watch.h"

namespace fredsim::hw {

/// The sending end of a link: queues packets by virtual channel and sends one at a time, as soon as the link
/// is free and the receiver has room for all of it; control before MP before PP before DP (FRED sec. 5.4).
class Transmitter : public sc_core::sc_module, private CreditSink {
 public:
  /// Told when a packet's head leaves; `tail_leaves` lies a serialisation time later. It may enqueue more.
  class Client {
   public:
    virtual void departed(PortId port, const Payload& payload, Time tail_leaves) = 0;

   protected:
    ~Client() = default;
  };

  PacketInitiatorSocket out;

  /// `path` names the port in waveforms; `receiver` says the room at the other end, which is all credit at
  /// first.
  Transmitter(sc_core::sc_module_name name, Context& context, const std::string& path, Bandwidth bandwidth,
              const Capacities& receiver, Client& client, PortId port = PortId{});

  /// The packet's head is here now.
  void enqueue(PacketRef packet);
  std::size_t queued(VirtualChannel vc) const { return channels_[index(vc)].queue.size(); }
  /// Why the first packet of a channel waits, for a person: "no credit for vc dp at ...", or empty when none
  /// waits.
  std::string waits_for() const;

  /// Time that packets at the head of a queue waited because the receiver had no room, and for the busy link.
  Time stalled_no_credit() const { return stalled_no_credit_; }
  Time stalled_link_busy() const { return stalled_link_busy_; }
  /// The most bytes that were ever sent without their credit being back: the buffer that this traffic could
  /// use. With buffers without limit it is the size that a channel needs not to be held up.
  std::uint64_t peak_outstanding(VirtualChannel vc) const { return channels_[index(vc)].peak_outstanding; }

 private:
  struct Waiting {
    PacketRef packet;
    Time since;
  };
  struct Credit {
    Time from;
    std::uint64_t bytes = 0;
  };
  struct Channel {
    Fifo<Waiting> queue;
    Fifo<Credit> returning;
    Capacity receiver;
    std::uint64_t outstanding = 0;  ///< bytes sent whose credit has not come back
    std::uint64_t peak_outstanding = 0;
    StallWatch::Ticket stall = 0;  ///< of the first packet while it waits
  };

  void credit_returns(PortId port, Payload& payload, Time at) override;
  void serve();
  void send_what_can();
  bool has_credit(Channel& channel, std::uint64_t bytes, Time at);
  void send(Channel& channel);
  void wake(Time at);
  void watch(Channel& channel);

  Context& context_;
  Serialization serialization_;
  Client& client_;
  PortId port_;
  std::array<Channel, virtual_channels> channels_;
  std::size_t waiting_ = 0;
  bool settled_ = false;  ///< woken; the choice is made one delta cycle later
  bool sending_ = false;  ///< guards against a client that enqueues from departed()
  Time link_free_;
  Time stalled_no_credit_;
  Time stalled_link_busy_;
  std::vector<Probe> credits_;
  sc_core::sc_event serve_event_;
};

}  // namespace fredsim::hw
