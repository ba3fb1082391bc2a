#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <queue>
#include <vector>

#include "accel/npu/delivery.h"
#include "accel/npu/npu_base.h"
#include "accel/npu/program.h"
#include "hw/link/packet.h"

namespace fredsim::accel {

/// One endpoint collective under way at one NPU: which sends may go, what has come, and the data in between.
/// What receives have left is kept only until the last step that uses it.
class StepRun {
 public:
  /// What the run asks of the NPU it runs on.
  class Host {
   public:
    /// When `bytes` of elements that are here at `at` have been added in memory.
    virtual hw::Time added(hw::DType dtype, std::uint64_t bytes, hw::Time at) = 0;
    /// All packets of a receive have come and are in memory at `at`, now or later: call end_receive() then.
    virtual void receive_ends(std::uint32_t part, std::uint32_t receive, hw::Time at) = 0;
    virtual void result_delivered(const Delivery& delivery) = 0;

   protected:
    ~Host() = default;
  };

  StepRun(std::uint32_t index, const Part& part, hw::NpuId npu, const NpuServices& services, Host& host);

  /// The part has started: its own data may be used.
  void start();
  /// The next packet that can go at `now`; null when none can. At the latest at `retry` one of those that
  /// pace holds back can (Time::max(): none).
  hw::PacketRef next_packet(hw::Time now, hw::Time& retry);
  void packet_arrives(std::uint32_t peer, hw::Payload& payload, hw::Time tail_at);
  /// The receive has ended, now. True when a send may go because of it.
  bool end_receive(std::uint32_t receive, hw::Time now);

  bool all_sent() const { return sends_left_ == 0; }
  bool all_received() const { return receives_left_ == 0; }
  /// Whether something is left to send to a peer.
  bool sends_to(std::uint32_t peer) const { return outgoing_[peer].left > 0; }

 private:
  struct Early {
    hw::PacketRef packet;
    hw::Time tail_at;
  };
  struct Receive {
    std::uint32_t waits = 0;
    std::uint32_t readers = 0;
    std::uint64_t elements_left = 0;
    hw::Time done;
    std::vector<std::byte> left;  ///< its elements, while anyone needs them
    std::vector<Early> early;     ///< packets that cannot be added yet
  };
  struct Outgoing {
    std::priority_queue<std::uint32_t, std::vector<std::uint32_t>, std::greater<>> ready;  ///< sends
    bool active = false;
    std::uint32_t send = 0;
    std::uint64_t sent = 0;                ///< packets of `send`
    std::size_t left = 0;                  ///< sends
    hw::Time free_at;                      ///< pace
    std::vector<std::uint64_t> sequences;  ///< of the next packet, by stripe
  };

  const RankSteps& steps() const { return *endpoint_.steps; }
  bool may_go(Outgoing& outgoing, hw::Time now, hw::Time& retry);
  hw::PacketRef make_packet(std::uint32_t peer, hw::Time now);
  std::uint64_t packets_of(std::uint64_t elements) const;
  void finish_packet(std::uint32_t peer, std::uint32_t wire_bytes, hw::Time now);
  void send_ready(std::uint32_t send);
  void take(std::uint32_t receive, const hw::Payload& payload, hw::Time tail_at);
  void gather(const std::vector<Piece>& pieces, hw::Range elements, std::byte* out) const;
  void used(const std::vector<Piece>& pieces);
  const std::byte* own(hw::Range elements) const;

  std::uint32_t index_;
  const Part& part_;
  const EndpointPart& endpoint_;
  hw::NpuId npu_;
  const NpuServices& services_;
  Host& host_;
  bool started_ = false;
  std::vector<std::uint32_t> send_waits_;
  std::vector<std::uint64_t> first_packet_;  ///< of each send, among all those to its peer
  std::vector<Receive> receives_;
  std::vector<Outgoing> outgoing_;
  std::vector<std::byte> scratch_;
  std::size_t sends_left_;
  std::size_t receives_left_;
  std::uint32_t last_peer_ = 0;
};

}  // namespace fredsim::accel
