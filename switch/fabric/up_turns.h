#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "hw/core/records.h"
#include "switch/fabric/switch_plan.h"

namespace fredsim::sw {

/// Whose turn it is at the up ports. Flows of a class leave by an up port in the plan's order, or reductions
/// deadlock further up; all stripes of a flow share a turn.
class UpTurns {
 public:
  /// `ports` of the switch.
  explicit UpTurns(std::uint32_t ports) : queues_(ports) {}

  /// Flows are numbered from 0 in the order in which they are added, which is the plan's.
  void add(const SwitchFlow& flow);

  /// Whether the flow may pass now as far as the order goes.
  bool has_turn(std::size_t flow) const;
  /// A packet of the flow passes. Returns the flows whose turn begins with that; good until the next call.
  const std::vector<std::size_t>& pass(std::size_t flow);

 private:
  struct Turn {
    hw::FlowId first_stripe;
    std::uint64_t packets_left = 0;
    std::vector<std::size_t> flows;
  };
  /// Those of one up port and virtual channel, in order.
  struct Queue {
    std::vector<Turn> turns;
    std::size_t next = 0;  ///< the first that has not passed
  };
  /// Where a flow stands.
  struct Place {
    Queue* queue = nullptr;  ///< null: it uses no up port, or none in order
    std::size_t turn = 0;
    bool waits = true;
  };

  std::vector<std::array<std::optional<Queue>, hw::traffic_classes>> queues_;  ///< by output port
  std::vector<Place> places_;                                                  ///< by flow
};

}  // namespace fredsim::sw
