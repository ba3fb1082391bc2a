#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <systemc>
#include <vector>

#include "hw/core/quantity.h"
#include "hw/link/context.h"
#include "hw/link/protocol.h"
#include "hw/link/serialization.h"
#include "switch/route/structure.h"

namespace fredsim::sw {

/// One flow's way through a switch: a flow of a route set, or an open unicast of route set 0.
using CircuitId = std::uint32_t;

/// The wire on which the control unit tells every micro-switch whose packets it is sending through.
struct ActiveCircuit {
  CircuitId id = 0;
};

/// What a micro-switch does for one circuit: what enters at `inputs` is reduced and leaves at each of
/// `outputs`.
struct MicroSwitchSetting {
  std::uint32_t inputs = 0;   ///< bit i: input i
  std::uint32_t outputs = 0;  ///< bit o: output o
};

struct MicroSwitchConfig {
  std::string path;  ///< in waveforms and messages, "switch.interconnect.m2.r0"
  ElementKind kind = ElementKind::rd;
  std::uint32_t inputs = 2;
  std::uint32_t outputs = 2;
  hw::Time hop_latency;
  hw::Bandwidth bandwidth;  ///< of one path, switch.internal_bandwidth
};

struct MicroSwitchCounts {
  std::uint64_t reductions = 0;
  std::uint64_t distributions = 0;
  std::uint64_t forwards = 0;
  hw::AddCounts adds{};  ///< elements, by the reductions
};

/// Elements of `bytes` of data; a division by a size that is not known costs more than the rest of counting.
constexpr std::uint64_t elements_of(hw::DType dtype, std::uint64_t bytes) {
  return hw::size_of(dtype) == 2 ? bytes / 2 : bytes / 4;
}

/// A micro-switch of a FRED switch (FRED sec. 4, fig. 7): latches operands until all are there, reduces,
/// copies and adds its hop latency. It keeps no packet longer than the instant at which the control unit
/// fires a flow, so there are no credits inside a switch. Derive from it to put a micro-switch of your own in
/// the interconnect.
class MicroSwitch : public sc_core::sc_module, private hw::PacketSink, private hw::CreditSink {
 public:
  std::vector<std::unique_ptr<hw::PacketTargetSocket>> in;
  std::vector<std::unique_ptr<hw::PacketInitiatorSocket>> out;

  MicroSwitch(sc_core::sc_module_name name, hw::Context& context, const MicroSwitchConfig& config,
              const ActiveCircuit& active);

  /// Writes the route memory. Throws InternalError for a setting this kind of micro-switch cannot carry out.
  void load(CircuitId circuit, const MicroSwitchSetting& setting);

  const MicroSwitchConfig& config() const { return config_; }
  const MicroSwitchCounts& counts() const { return counts_; }

 protected:
  /// All operands of the active circuit are here, in the order of the inputs: gives what leaves. The heads
  /// are here now or at a later time that `process` need not know.
  virtual hw::PacketRef process(const std::vector<hw::PacketRef>& operands) = 0;
  /// Whether this kind can reduce (several inputs in one circuit) and copy (several outputs).
  virtual bool can_reduce() const = 0;
  virtual bool can_copy() const = 0;

  hw::Context& context() { return context_; }

 private:
  void packet_arrives(hw::PortId port, hw::Payload& payload, hw::Time at) override;
  hw::PortStatus port_status(hw::PortId) override { return {}; }
  void credit_returns(hw::PortId port, hw::Payload& payload, hw::Time at) override;
  void show(const MicroSwitchSetting& setting, std::uint64_t wire_bytes, hw::Time at);

  hw::Context& context_;
  MicroSwitchConfig config_;
  const ActiveCircuit& active_;
  hw::Serialization serialization_;
  std::vector<MicroSwitchSetting> settings_;
  MicroSwitchCounts counts_;

  std::vector<hw::PacketRef> latched_;  ///< operands that wait for their partners, by input
  std::uint32_t latched_inputs_ = 0;
  hw::Time latest_;
  std::vector<hw::PacketRef> operands_;

  hw::Probe activity_;
  std::int64_t idle_, pass_, reduce_, copy_, reduce_copy_;
};

}  // namespace fredsim::sw
