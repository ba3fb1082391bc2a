#pragma once

#include <cstdint>
#include <string>
#include <systemc>
#include <vector>

#include "hw/link/context.h"
#include "hw/link/faults.h"
#include "hw/link/fifo.h"
#include "hw/link/serialization.h"

namespace fredsim::hw {

struct LinkRetryConfig {
  Bandwidth bandwidth;
  Time latency;       ///< one way
  Time back_latency;  ///< of the link that the answers take
  Time timeout;       ///< first wait for an answer that does not come; doubled with every attempt
  /// Sendings again on end of which none brings an acknowledgement, before the link is given up.
  std::uint64_t attempts = 0;
};

/// Makes one direction of a link loss-free by resending on the link alone: Go-Back-N with numbers of the
/// link's own over all its virtual channels, as in PCI Express. What the receiver has taken in order is
/// acknowledged packet by packet; damage or a gap is answered by NACK(next needed), at which the sender
/// resends from there. Packets that come meanwhile wait behind, in order. They have credit, so the replay
/// buffer holds no more than the receiver's buffers.
///
/// The answers are words of the link, 8 B as PCI Express's, that go beside the packets of the other direction
/// like credits, without using its bandwidth; they can be lost like these.
class LinkRetry : public sc_core::sc_module {
 public:
  /// The link, which knows what becomes of what crosses it.
  class Wire {
   public:
    /// A packet crosses; `again` if not for the first time.
    virtual Fate cross(const Payload& payload, Time at, bool again) = 0;
    /// Hands a packet that crossed at `at` to the receiver.
    virtual void deliver(Payload& payload, Time at) = 0;
    /// An answer crosses the other way, leaving at `at`.
    virtual Fate answer(Answer, std::uint32_t bytes, Time at) = 0;

   protected:
    ~Wire() = default;
  };

  static constexpr std::uint32_t word_bytes = 8;

  /// `path` names the link in waveforms.
  LinkRetry(sc_core::sc_module_name name, Context& context, const std::string& path,
            const LinkRetryConfig& config, Wire& wire);

  /// A packet whose head enters at `at`, now or later, or as soon as it is its turn.
  void take(Payload& payload, Time at);

  std::uint64_t resent() const { return resent_; }
  std::uint64_t acks() const { return acks_; }
  std::uint64_t nacks() const { return nacks_; }
  bool given_up() const { return given_up_; }
  /// Flows with packets that have not got through, each once, ascending.
  std::vector<FlowId> held() const;

 private:
  struct Frame {
    PacketRef packet;
    Time at;    ///< not before this
    Time tail;  ///< when it has been sent for the last time
    bool sent = false;
  };
  struct Word {
    Time at;  ///< when it is at the sender
    std::uint64_t taken = 0;
  };

  void serve();
  void settle(Time at);
  void send_on();
  void send(Frame& frame, std::uint64_t number, Time at);
  void acknowledge(Time at);
  void complain(Time at);
  void note_taken(Time at);
  void schedule();

  Context& context_;
  LinkRetryConfig config_;
  Wire& wire_;
  Serialization serialization_;

  // Sender.
  Fifo<Frame> replay_;          ///< not acknowledged
  std::uint64_t first_ = 0;     ///< number of the first of them
  std::size_t next_ = 0;        ///< the one to be sent next, counted in replay_
  Time free_;                   ///< when the last packet has entered
  Time back_at_;                ///< when a NACK arrives; Time::max() for none on its way
  Fifo<Word> words_;            ///< acknowledgements on their way
  std::uint64_t answered_ = 0;  ///< the packets before this are acknowledged by words that arrive
  std::uint64_t round_ = 0;     ///< how often it has gone back
  std::uint64_t fruitless_ = 0;
  bool given_up_ = false;

  // Receiver.
  std::uint64_t expected_ = 0;
  std::uint64_t complained_round_ = 0;  ///< 1 + the round in which it sent its last NACK

  std::uint64_t resent_ = 0;
  std::uint64_t acks_ = 0;
  std::uint64_t nacks_ = 0;
  Probe resent_probe_;
  sc_core::sc_event event_;
};

}  // namespace fredsim::hw
