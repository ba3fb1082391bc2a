#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <systemc>
#include <unordered_map>
#include <vector>

#include "accel/npu/go_back_n.h"
#include "accel/npu/npu_base.h"
#include "accel/npu/step_engine.h"
#include "hw/link/protocol.h"
#include "hw/link/serialization.h"
#include "hw/link/transmitter.h"
#include "hw/link/vc_buffer.h"

namespace fredsim::accel {

/// An NPU's network interface: cuts the parts of its program into packets, injects those of a traffic class
/// one part after the other in the program's order (a later one waits even if it is ready, or joins of
/// streams would deadlock), and takes what arrives at once.
class NetworkInterface : public sc_core::sc_module,
                         private hw::Transmitter::Client,
                         private hw::PacketSink,
                         private GoBackN::Client,
                         private StepEngine::Listener {
 public:
  class Listener {
   public:
    /// The part's turn to inject has come, now.
    virtual void part_starts(std::uint32_t part) = 0;
    /// The part has sent its last packet (tail), or received it, at `at`, now or later.
    virtual void part_sent(std::uint32_t part, hw::Time at) = 0;
    virtual void part_received(std::uint32_t part, hw::Time at) = 0;
    virtual void packet_delivered(const Delivery& delivery) = 0;

   protected:
    ~Listener() = default;
  };

  hw::Transmitter transmitter;
  hw::PacketTargetSocket in;

  NetworkInterface(sc_core::sc_module_name name, const NpuConfig& config, const Program& program,
                   const NpuServices& services, Listener& listener);

  /// The part may inject when its turn comes.
  void part_ready(std::uint32_t part);
  /// The part has started: an endpoint collective may use its own data.
  void part_started(std::uint32_t part);

  /// The part at whose end the next part of the channel may inject, if one is under way or waits; for
  /// reports.
  bool has_turn(std::uint32_t part) const;
  std::uint32_t turn(hw::VirtualChannel vc) const;
  std::vector<hw::FlowId> unsent(std::uint32_t part) const;
  std::vector<hw::FlowId> unreceived(std::uint32_t part) const;
  const std::vector<hw::VcBuffer>& buffers() const { return buffers_; }
  /// Null unless flows are made reliable.
  const GoBackN* go_back_n() const { return go_back_n_.get(); }
  /// Elements added for endpoint collectives.
  hw::AddCounts adds() const { return steps_ ? steps_->adds() : hw::AddCounts{}; }

 private:
  /// How far a stream has come.
  struct Place {
    std::uint64_t sent_bytes = 0;
    std::uint64_t sequence = 0;
  };
  /// Injection of one virtual channel: the parts that send on it, and how far it has come.
  struct Channel {
    std::vector<std::uint32_t> parts;  ///< in the order in which they inject
    std::size_t turn = 0;              ///< index into parts
    std::size_t stream = 0;            ///< of the part whose turn it is
    std::uint64_t sent_bytes = 0;      ///< of the stream
    std::uint64_t sequence = 0;        ///< of the stream's next packet, over all stripes
    std::vector<Place> places;         ///< of all streams of a part that interleaves them
    bool last_queued = false;          ///< the part's last packet is in the transmitter
    hw::Time free_at;                  ///< pace
  };
  struct Receive {
    std::uint32_t part = 0;
    std::uint32_t stream = 0;
    std::uint64_t packets = 0;  ///< arrived
  };
  struct LastReceive {
    hw::FlowId flow{UINT32_MAX};
    std::size_t index = 0;
  };

  void inject(hw::VirtualChannel vc);
  void inject_paced();
  bool hold_back(Channel& channel, const Part& part);
  /// Whether the NPU is in an outage; if it ends, injection goes on then.
  bool asleep();
  void wake_up();
  /// The same where flows are made reliable.
  void inject_reliably(hw::VirtualChannel vc);
  void window_moved(hw::VirtualChannel vc) override;
  void send_control(const hw::PacketHeader& header, hw::Time at) override;
  hw::PacketRef next_packet(Channel& channel, const Part& part, const hw::Epoch& epoch = {});
  hw::PacketRef next_in_turn(Channel& channel, const Part& part);
  void departed(hw::PortId port, const hw::Payload& payload, hw::Time tail_leaves) override;
  void packet_arrives(hw::PortId port, hw::Payload& payload, hw::Time at) override;
  hw::PortStatus port_status(hw::PortId port) override;
  void steps_may_go(std::uint32_t part) override { inject(program_.parts[part].vc); }
  void steps_received(std::uint32_t part) override;
  void steps_delivered(const Delivery& delivery) override { listener_.packet_delivered(delivery); }
  Receive& receive_of(const hw::PacketHeader& header);

  const NpuConfig& config_;
  const Program& program_;
  NpuServices services_;
  Listener& listener_;
  hw::Serialization serialization_;
  std::vector<hw::VcBuffer> buffers_;
  std::unique_ptr<StepEngine> steps_;        ///< null when the program has no endpoint collectives
  std::vector<bool> ready_;                  ///< by part
  std::vector<std::uint32_t> open_streams_;  ///< by part: receive streams not complete
  std::vector<hw::Time> received_at_;        ///< by part: latest tail so far
  std::array<Channel, hw::virtual_channels> channels_;
  sc_core::sc_event pace_event_;
  std::vector<Receive> receives_;
  std::unordered_map<hw::FlowId, std::size_t> receive_index_;
  std::array<LastReceive, hw::virtual_channels> last_receive_;
  std::unique_ptr<GoBackN> go_back_n_;
  sc_core::sc_event awake_event_;
};

}  // namespace fredsim::accel
