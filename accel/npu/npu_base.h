#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <systemc>
#include <tlm>
#include <vector>

#include "accel/npu/delivery.h"
#include "accel/npu/operation_board.h"
#include "accel/npu/program.h"
#include "hw/core/pattern.h"
#include "hw/core/quantity.h"
#include "hw/link/context.h"
#include "hw/link/protocol.h"
#include "hw/link/transmitter.h"
#include "hw/link/vc_buffer.h"

namespace fredsim::accel {

/// What an NPU did to deliver reliably.
struct ResendCounts {
  std::uint64_t resent = 0;  ///< packets
  std::uint64_t acks = 0;    ///< sent
  std::uint64_t nacks = 0;
};

/// A time in which an NPU sends nothing and takes nothing.
struct Outage {
  hw::Time from;
  hw::Time until;     ///< Time::max(): for good
  bool dies = false;  ///< it ends nothing any more either
};

/// Parameters of one NPU and its link, read and checked elsewhere.
struct NpuConfig {
  hw::NpuId id;
  std::string path;                  ///< in results and waveforms, "npu3"
  hw::Bandwidth bandwidth;           ///< of its link, each direction
  hw::Bandwidth memory_bandwidth;    ///< for adding up; zero: without limit
  hw::Capacities buffers{};          ///< of its receive side
  hw::Capacities receiver{};         ///< of the buffers its link leads to
  std::vector<Outage> outages = {};  ///< ascending

  /// When it does what it would do at `at`: then, or after an outage; Time::max() for never.
  hw::Time awake(hw::Time at) const {
    for (const Outage& outage : outages) {
      if (outage.from <= at && at < outage.until) at = outage.until;
    }
    return at;
  }
  /// Whether it never sends or takes anything any more.
  bool silent(hw::Time at) const { return !outages.empty() && awake(at) == hw::Time::max(); }
  bool dead(hw::Time at) const { return silent(at) && outages.back().dies; }
};

/// What the NPUs of a system share.
struct NpuServices {
  hw::Context& context;
  OperationBoard& board;
  hw::DataPattern* data = nullptr;                  ///< null in timing-only runs
  const std::vector<std::string>& operation_names;  ///< by OperationId, for waveforms

  /// `bytes` of the source buffer that `npu` has for `part`, from byte `first` on, in whole elements; null in
  /// timing-only runs.
  const std::byte* source(const Part& part, hw::NpuId npu, std::uint64_t first, std::uint32_t bytes) const {
    if (!data) return nullptr;
    // What is loaded is one buffer, whichever controller sends which part of it.
    if (part.type == hw::OperationType::load) return data->bytes(part.operation, hw::NpuId(0), first, bytes);
    if (part.element_bytes == 1) return data->bytes(part.operation, npu, first, bytes);
    return data->elements(part.operation, npu, part.dtype, part.members, first / part.element_bytes,
                          bytes / part.element_bytes);
  }
};

/// Times of one NPU over the run so far.
struct NpuTimes {
  hw::Time compute;
  /// Not computing while an operation of the kind is under way, the first such kind.
  std::array<hw::Time, exposures> exposed{};
};

/// Why a part has not ended, for the report of a run that did not finish.
struct UnfinishedPart {
  hw::OperationId operation;
  bool started = false;
  std::string waits_for;              ///< what keeps it from starting, or from sending; may be empty
  std::vector<hw::FlowId> sending;    ///< flows it has not sent all packets of
  std::vector<hw::FlowId> receiving;  ///< flows it has not received all packets of
  bool silent = false;                ///< the NPU never sends or takes anything any more
};

/// What a system needs of an accelerator. Derive from it to put an NPU of your own in place of ours: carry
/// out `program`, keep the packet protocol on both sockets, tell the board when parts start and end, and
/// publish what arrives.
class NpuBase : public sc_core::sc_module {
 public:
  tlm::tlm_analysis_port<Delivery> delivered;

  NpuBase(sc_core::sc_module_name name, const NpuConfig& config, const Program& program)
      : sc_module(name), delivered("delivered"), config_(config), program_(program) {}

  virtual hw::PacketInitiatorSocket& out() = 0;
  virtual hw::PacketTargetSocket& in() = 0;
  virtual NpuTimes times(hw::Time end) const = 0;
  virtual std::vector<UnfinishedPart> unfinished() const = 0;
  /// Buffers and stalls for the results; an NPU without them gives none.
  virtual std::vector<const hw::VcBuffer*> buffers() const { return {}; }
  virtual const hw::Transmitter* transmitter() const { return nullptr; }
  virtual ResendCounts resend_counts() const { return {}; }
  /// Elements it has added.
  virtual hw::AddCounts adds() const { return {}; }

  const NpuConfig& config() const { return config_; }
  const Program& program() const { return program_; }

 private:
  NpuConfig config_;
  const Program& program_;
};

}  // namespace fredsim::accel
