#pragma once

#include <functional>

#include "accel/npu/npu.h"
#include "tb/systems/factories.h"

namespace fredsim::tb::test {

/// Stands between our NPU and its link and lets through what it is told to.
class Filter : public sc_core::sc_module, private hw::PacketSink, private hw::CreditSink {
 public:
  /// Whether a packet on its way out, or the credit of a packet that came in, is let through.
  using Passes = std::function<bool(const hw::PacketHeader&)>;

  hw::PacketTargetSocket from_npu;
  hw::PacketInitiatorSocket to_link;
  hw::PacketTargetSocket from_link;
  hw::PacketInitiatorSocket to_npu;

  Filter(sc_core::sc_module_name name, Passes packets, Passes credits);

 private:
  static constexpr hw::PortId outward{0}, inward{1};

  void packet_arrives(hw::PortId port, hw::Payload& payload, hw::Time at) override;
  hw::PortStatus port_status(hw::PortId) override { return {}; }
  void credit_returns(hw::PortId port, hw::Payload& payload, hw::Time at) override;

  Passes packets_, credits_;
};

/// Our NPU behind a filter.
class FilteredNpu : public accel::NpuBase, private tlm::tlm_analysis_if<accel::Delivery> {
 public:
  FilteredNpu(sc_core::sc_module_name name, const accel::NpuConfig& config, const accel::Program& program,
              const accel::NpuServices& services, Filter::Passes packets, Filter::Passes credits);

  hw::PacketInitiatorSocket& out() override { return filter_.to_link; }
  hw::PacketTargetSocket& in() override { return filter_.from_link; }
  accel::NpuTimes times(hw::Time end) const override { return npu_.times(end); }
  std::vector<accel::UnfinishedPart> unfinished() const override { return npu_.unfinished(); }
  std::vector<const hw::VcBuffer*> buffers() const override { return npu_.buffers(); }
  const hw::Transmitter* transmitter() const override { return npu_.transmitter(); }

 private:
  void write(const accel::Delivery& delivery) override { delivered.write(delivery); }

  accel::Npu npu_;
  Filter filter_;
};

/// An accelerator of a user's own that does nothing yet: it takes what arrives and never sends.
class SilentNpu : public accel::NpuBase, private hw::PacketSink, private hw::CreditSink {
 public:
  SilentNpu(sc_core::sc_module_name name, const accel::NpuConfig& config, const accel::Program& program);

  hw::PacketInitiatorSocket& out() override { return out_; }
  hw::PacketTargetSocket& in() override { return in_; }
  accel::NpuTimes times(hw::Time) const override { return {}; }
  std::vector<accel::UnfinishedPart> unfinished() const override;

 private:
  void packet_arrives(hw::PortId port, hw::Payload& payload, hw::Time at) override;
  hw::PortStatus port_status(hw::PortId) override { return {}; }
  void credit_returns(hw::PortId, hw::Payload&, hw::Time) override {}

  hw::PacketInitiatorSocket out_;
  hw::PacketTargetSocket in_;
};

/// Factories that put such an NPU in place of `npu` and ours everywhere else.
Factories with_silent(std::uint32_t npu);
Factories with_filter(std::uint32_t npu, Filter::Passes packets, Filter::Passes credits);
inline bool all_pass(const hw::PacketHeader&) {
  return true;
}

}  // namespace fredsim::tb::test
