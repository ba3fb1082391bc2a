#pragma once

#include <array>
#include <cstdint>
#include <systemc>
#include <vector>

#include "accel/npu/activity.h"
#include "accel/npu/compute_engine.h"
#include "accel/npu/dependencies.h"
#include "accel/npu/network_interface.h"
#include "accel/npu/npu_base.h"
#include "hw/link/fifo.h"

namespace fredsim::accel {

/// Our accelerator: a compute engine and a network interface that carry out a program.
class Npu : public NpuBase, private NetworkInterface::Listener, private OperationBoard::Listener {
 public:
  Npu(sc_core::sc_module_name name, const NpuConfig& config, const Program& program,
      const NpuServices& services);

  hw::PacketInitiatorSocket& out() override { return interface_.transmitter.out; }
  hw::PacketTargetSocket& in() override { return interface_.in; }
  NpuTimes times(hw::Time end) const override { return activity_.times(end); }
  std::vector<UnfinishedPart> unfinished() const override;
  std::vector<const hw::VcBuffer*> buffers() const override;
  const hw::Transmitter* transmitter() const override { return &interface_.transmitter; }
  ResendCounts resend_counts() const override {
    return interface_.go_back_n() ? interface_.go_back_n()->counts() : ResendCounts();
  }
  hw::AddCounts adds() const override { return interface_.adds(); }

 private:
  struct PartState {
    bool held_back = false;  ///< for its start delay, once
    bool started = false;
    bool sent = false;
    bool received = false;
    std::size_t span = 0;  ///< in the timeline, if there is one
    hw::Time ends;         ///< the latest of what has been sent and received
  };
  struct Completion {
    hw::Time at;
    std::uint32_t part = 0;
  };

  void begin();
  void complete();
  void operation_ended(hw::OperationId operation) override;
  void part_starts(std::uint32_t part) override;
  void part_sent(std::uint32_t part, hw::Time at) override;
  void part_received(std::uint32_t part, hw::Time at) override;
  void packet_delivered(const Delivery& delivery) override { delivered.write(delivery); }

  void start_ready();
  /// Whether a part that is ready is to start later; it is then ready again.
  bool hold_back(std::uint32_t part);
  void release();
  void start(std::uint32_t part);
  void complete_when_done(std::uint32_t part);
  void end(std::uint32_t part);
  void schedule(std::uint32_t part, hw::Time at);
  void show(const Part& part);
  std::size_t begin_span(const Part& part) const;
  std::string waits_to_start(std::uint32_t part) const;

  NpuServices services_;
  Dependencies dependencies_;
  ComputeEngine engine_;
  NetworkInterface interface_;
  Activity activity_;
  std::vector<PartState> parts_;
  std::vector<std::uint32_t> ready_;  ///< parts whose dependencies have ended, not looked at yet
  bool starting_ = false;             ///< start_ready() is at work: whatever becomes ready is left to it
  hw::Fifo<Completion> completions_;  ///< in time order
  hw::Fifo<Completion> held_back_;    ///< parts and when they are ready, in time order
  std::vector<hw::Probe> operation_;  ///< what is under way: by class, then the compute engine's
  std::vector<std::vector<std::uint32_t>> under_way_;  ///< the same, oldest first
  sc_core::sc_event complete_event_;
  sc_core::sc_event release_event_;
};

}  // namespace fredsim::accel
