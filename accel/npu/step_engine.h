#pragma once

#include <cstdint>
#include <memory>
#include <systemc>
#include <vector>

#include "accel/npu/step_run.h"
#include "hw/link/fifo.h"

namespace fredsim::accel {

/// Carries out the endpoint collectives of an NPU's program: keeps the steps of those under way and the time
/// that adding takes.
class StepEngine : public sc_core::sc_module, private StepRun::Host {
 public:
  class Listener {
   public:
    /// A packet of the part may go now, which could not before.
    virtual void steps_may_go(std::uint32_t part) = 0;
    /// The part has received and added all it has to, now.
    virtual void steps_received(std::uint32_t part) = 0;
    virtual void steps_delivered(const Delivery& delivery) = 0;

   protected:
    ~Listener() = default;
  };

  StepEngine(sc_core::sc_module_name name, const NpuConfig& config, const Program& program,
             const NpuServices& services, Listener& listener);

  void start(std::uint32_t part);
  /// The next packet of a part that has started; null when none can go now.
  hw::PacketRef next_packet(std::uint32_t part);
  void packet_arrives(std::uint32_t part, std::uint32_t peer, hw::Payload& payload, hw::Time tail_at);
  bool all_sent(std::uint32_t part) const { return sent_[part]; }
  /// Whether a part, which may not have started, has yet to send something to a peer.
  bool sends_to(std::uint32_t part, std::uint32_t peer) const;
  const hw::AddCounts& adds() const { return adds_; }

 private:
  struct End {
    hw::Time at;
    std::uint32_t part = 0;
    std::uint32_t receive = 0;
  };
  struct Retry {
    hw::Time at;
    std::uint32_t part = 0;
  };

  hw::Time added(hw::DType dtype, std::uint64_t bytes, hw::Time at) override;
  void receive_ends(std::uint32_t part, std::uint32_t receive, hw::Time at) override;
  void result_delivered(const Delivery& delivery) override { listener_.steps_delivered(delivery); }
  void end_receives();
  void retry();
  StepRun& run_of(std::uint32_t part);
  void give_up(std::uint32_t part);

  const NpuConfig& config_;
  const Program& program_;
  const NpuServices& services_;
  Listener& listener_;
  std::vector<std::unique_ptr<StepRun>> runs_;  ///< by part; those under way
  std::vector<bool> sent_;                      ///< by part
  std::vector<bool> received_;
  hw::Time memory_free_;
  hw::AddCounts adds_{};
  hw::Fifo<End> ends_;              ///< in time order
  hw::Fifo<Retry> retries_;         ///< in time order
  std::vector<hw::Time> retry_at_;  ///< by part: its first one to come; Time::max() for none
  sc_core::sc_event end_event_, retry_event_;
};

}  // namespace fredsim::accel
