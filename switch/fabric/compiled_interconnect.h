#pragma once

#include <string>
#include <vector>

#include "hw/link/context.h"
#include "switch/fabric/interconnect.h"
#include "switch/microswitch/reduction_alu.h"
#include "switch/route/settings.h"
#include "switch/route/structure.h"

namespace fredsim::sw {

/// The interconnect without modules: each circuit's latency, reduction order and counts, taken from the same
/// routing that MicroSwitchInterconnect loads into its micro-switches. Same data, same times.
class CompiledInterconnect : public Interconnect {
 public:
  /// `path` names it in messages.
  CompiledInterconnect(hw::Context& context, const std::string& path, const Structure& structure,
                       hw::Time hop_latency);

  void lay(CircuitId circuit, const PortFlow& flow, const Route& route) override;
  void fire(CircuitId circuit, const std::vector<hw::PacketRef>& operands,
            std::vector<Emergence>& emerged) override;
  MicroSwitchCounts counts() const override { return counts_; }

 private:
  struct Circuit {
    std::vector<hw::PortId> outputs;
    std::vector<ReductionStep> order;     ///< empty for a single input
    std::vector<std::size_t> operand_of;  ///< by input port
    MicroSwitchCounts per_packet;
  };

  hw::PacketRef reduce(const Circuit& circuit, const std::vector<hw::PacketRef>& operands);

  Structure structure_;
  hw::Time latency_;
  ReductionAlu alu_;
  std::vector<Circuit> circuits_;
  std::vector<hw::PacketRef> stack_;
  MicroSwitchCounts counts_;
};

}  // namespace fredsim::sw
