#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <systemc>
#include <unordered_map>
#include <vector>

#include "accel/npu/npu_base.h"
#include "hw/link/context.h"
#include "hw/link/fifo.h"
#include "hw/link/packet.h"
#include "hw/link/reliability.h"
#include "hw/observe/probe.h"

namespace fredsim::accel {

/// Go-Back-N at an NPU, as source and as receiver (docs/reliability.md). It sends one stream a channel at a
/// time; the next one begins when all of it is acknowledged.
class GoBackN : public sc_core::sc_module {
 public:
  class Client {
   public:
    /// The stream of the channel may send again, or is acknowledged.
    virtual void window_moved(hw::VirtualChannel vc) = 0;
    /// A control packet with this header is to leave at `at`, now or later.
    virtual void send_control(const hw::PacketHeader& header, hw::Time at) = 0;

   protected:
    ~Client() = default;
  };

  /// `path` names the NPU in waveforms.
  GoBackN(sc_core::sc_module_name name, hw::Context& context, const std::string& path, hw::NpuId npu,
          Client& client);

  // Source.

  /// A stream begins whose first stripe is `first`.
  void open(hw::VirtualChannel vc, hw::FlowId first, hw::OperationId operation);
  bool is_open(hw::VirtualChannel vc) const { return senders_[hw::index(vc)].open; }
  /// The number, over all stripes, of the packet to send next; nothing while the window is full or all is
  /// sent.
  std::optional<std::uint64_t> next(hw::VirtualChannel vc);
  /// It is being sent. Returns its epoch.
  hw::Epoch send(hw::VirtualChannel vc);
  /// Whether all of the stream has been acknowledged; if so, it is closed.
  bool close_if_acknowledged(hw::VirtualChannel vc);
  /// Why the stream does not go on, for a person; empty unless it was given up.
  std::string given_up(hw::VirtualChannel vc) const;
  /// A barrier's packet is sent, and again until it is released.
  void barrier_sent(const hw::PacketHeader& header);
  void barrier_released(hw::FlowId flow);

  // Receiver.

  /// A data packet of the `receive`-th flow arrives, of which packet `next` is the next; its tail is here at
  /// `at`. Whether it is the one; answers as needed.
  bool takes(std::size_t receive, const hw::PacketHeader& header, std::uint64_t next, hw::Time at);

  /// An acknowledgement or the order to go back arrives at `at`, now or later.
  void control_arrives(const hw::PacketHeader& header, hw::Time at);

  const ResendCounts& counts() const { return counts_; }

 private:
  struct Sender {
    bool open = false;
    hw::FlowId first;
    hw::OperationId operation;
    std::uint32_t stripes = 1;
    std::uint64_t total = 0;           ///< packets of all stripes
    std::vector<std::uint64_t> acked;  ///< by stripe: the packets before this one
    hw::Epoch epoch;
    std::uint64_t next = 0;
    std::uint64_t furthest = 0;   ///< what has been sent at least once is before this
    std::uint64_t attempts = 0;   ///< to ask, since the last acknowledgement
    std::uint64_t fruitless = 0;  ///< times on end that it went back without having got any further
    hw::Time deadline;            ///< Time::max(): given up

    std::uint64_t place(std::uint64_t number) const { return number / stripes; }
    std::uint64_t first_open() const;
    bool given_up(std::uint64_t most) const { return deadline == hw::Time::max() || fruitless > most; }
  };
  struct Barrier {
    hw::PacketHeader header;
    std::uint64_t attempts = 0;
    hw::Time deadline;
  };
  struct Word {
    hw::Time at;
    hw::PacketHeader header;
  };
  struct Complaint {
    bool any = false;
    hw::Epoch epoch;
  };

  void serve();
  void schedule();
  void acknowledged(Sender& sender, hw::VirtualChannel vc, const hw::PacketHeader& header);
  void go_back(Sender& sender, hw::VirtualChannel vc, const hw::PacketHeader& header);
  void probe(Sender& sender);
  hw::Time patience(std::uint64_t attempts) const;
  hw::PacketHeader control(hw::PacketKind, hw::FlowId, std::uint64_t sequence, const hw::Epoch& epoch) const;

  hw::Context& context_;
  const hw::FlowReliability& config_;
  hw::NpuId npu_;
  Client& client_;
  std::array<Sender, hw::traffic_classes> senders_;
  std::unordered_map<hw::FlowId, hw::Epoch>
      epochs_;                         ///< of streams told of before they begin; by first stripe
  std::vector<Barrier> barriers_;      ///< not released
  std::vector<Complaint> complaints_;  ///< by receive
  hw::Fifo<Word> words_;               ///< on their way, in the order of their arrival
  ResendCounts counts_;
  hw::Probe epoch_probe_;
  hw::Probe resent_probe_;
  sc_core::sc_event event_;
};

}  // namespace fredsim::accel
