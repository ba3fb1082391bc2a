#pragma once

#include <array>
#include <string>
#include <systemc>
#include <vector>

#include "hw/core/quantity.h"
#include "hw/core/time_sum.h"
#include "hw/link/context.h"
#include "hw/link/fifo.h"
#include "hw/link/packet.h"
#include "hw/link/protocol.h"
#include "hw/link/serialization.h"
#include "hw/link/stall_probes.h"
#include "hw/link/stall_watch.h"

namespace fredsim::hw {

/// The sending end of a link: queues packets by virtual channel and sends one at a time, as soon as the link
/// is free and the receiver has room for all of it; control before MP before PP before DP (FRED sec. 5.4).
///
/// Packets may be announced before they are here. Those that were compete for the link before those that are
/// announced only at the instant at which it is given away, so that the choice never depends on the order in
/// which the kernel runs processes.
class Transmitter : public sc_core::sc_module, private CreditSink {
 public:
  /// Told when a packet is sent: its head leaves now or, if it was announced ahead, later; `tail_leaves` lies
  /// a serialisation time after that. It may enqueue more.
  class Client {
   public:
    virtual void departed(PortId port, const Payload& payload, Time tail_leaves) = 0;

   protected:
    ~Client() = default;
  };

  PacketInitiatorSocket out;

  /// `path` names the port in waveforms; `receiver` says the room at the other end, which is all credit at
  /// first. `lead` is the least time ahead at which the owner announces a packet: what is announced just so
  /// long ahead cannot be preceded by anything that is announced later.
  Transmitter(sc_core::sc_module_name name, Context& context, const std::string& path, Bandwidth bandwidth,
              const Capacities& receiver, Client& client, PortId port = PortId{}, Time lead = Time());

  /// The packet's head is here now.
  void enqueue(PacketRef packet) { enqueue(std::move(packet), now()); }
  /// The packet's head will be here at `at`. Throws InternalError when that is less than `lead` ahead.
  void enqueue(PacketRef packet, Time at);
  /// Packets announced and not sent.
  std::size_t queued(VirtualChannel vc) const { return channels_[index(vc)].queue.size(); }
  /// Why the first packet of a channel waits, for a person: "no credit for vc dp at ...", or empty when none
  /// waits.
  std::string waits_for() const;
  /// The same of one channel.
  std::string waits_for(VirtualChannel vc) const;

  /// Time up to `end` (now or later) that packets at the head of a queue have waited because the receiver had
  /// no room, and for the busy link.
  TimeSum stalled_no_credit(Time end = now()) const { return stalled(end).no_credit; }
  TimeSum stalled_link_busy(Time end = now()) const { return stalled(end).link_busy; }
  /// The most bytes that were, before `end` (now or later), ever sent without their credit being back: the
  /// buffer that this traffic could use. With buffers without limit it is the size that a channel needs not
  /// to be held up.
  std::uint64_t peak_outstanding(VirtualChannel vc, Time end) const;

 private:
  struct Stalled {
    TimeSum no_credit;
    TimeSum link_busy;
  };
  struct Waiting {
    PacketRef packet;
    Time since;               ///< when its head is here
    std::uint64_t announced;  ///< the delta cycle, if the head was here at once; else 0
  };
  struct Credit {
    Time from;
    std::uint64_t bytes = 0;
  };
  struct Peak {
    Time at;
    std::uint64_t bytes = 0;
  };
  struct Channel {
    Fifo<Waiting> queue;  ///< in the order in which they will be here
    Fifo<Credit> returning;
    Capacity receiver;
    std::uint64_t outstanding = 0;  ///< bytes sent whose credit had not come back when the last one was sent
    std::uint64_t peak_outstanding = 0;
    Fifo<Peak> peaks_ahead;        ///< higher ones, by packets that leave later than they were sent
    StallWatch::Ticket stall = 0;  ///< of the first packet while it waits
  };

  void credit_returns(PortId port, Payload& payload, Time at) override;
  void serve();
  void schedule();
  Time goes_at(const Channel& channel) const;
  static Time credit_from(const Channel& channel, std::uint64_t bytes);
  void send_first(VirtualChannel vc, Time at);
  void send(Channel& channel, Payload& payload, Time at);
  void show_credit(VirtualChannel vc, Time at, std::int64_t more);
  /// With what the first packet of each channel has waited so far.
  Stalled stalled(Time end) const;
  void show_stalls();
  void note_peak(Channel& channel, Time at);
  void wake(Time at);
  void watch(Channel& channel);
  bool waits(VirtualChannel vc) const { return (waiting_ >> index(vc) & 1) != 0; }

  Context& context_;
  Serialization serialization_;
  Client& client_;
  PortId port_;
  std::array<Channel, virtual_channels> channels_;
  Time lead_;
  unsigned waiting_ = 0;  ///< bit by channel: its queue holds something
  bool sending_ = false;  ///< guards against a client that enqueues from departed()
  Time link_free_;
  Stalled stalled_;  ///< of packets that have been sent
  std::vector<Probe> credits_;
  StallProbes stall_probes_;
  sc_core::sc_event serve_event_;
  std::string path_;  ///< for the timeline
};

}  // namespace fredsim::hw
