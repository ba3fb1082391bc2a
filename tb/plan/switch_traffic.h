#pragma once

#include <cstdint>
#include <limits>
#include <vector>

#include "hw/core/records.h"
#include "switch/fabric/switch_plan.h"
#include "switch/fabric/tree.h"
#include "tb/plan/planes.h"
#include "tb/plan/shapes.h"

namespace fredsim::tb {

/// How switches treat a flow (FRED table 2). Only multicasts and reductions need a route set.
enum class FlowKind : std::uint8_t { unicast, multicast, reduction, control };
FlowKind kind_of(const hw::Flow&);

/// What a collective's flow asks of one switch: the shapes of its way up, its way down, or both, with all its
/// stripes. They share no port and are routed together.
struct Crossing {
  hw::OperationId operation;
  ShapeSet shapes;
};

/// The flows that cross one switch.
struct SwitchTraffic {
  static constexpr std::uint32_t none = std::numeric_limits<std::uint32_t>::max();

  Shapes shapes;
  std::vector<Crossing> crossings;      ///< in the order of the flows
  std::vector<sw::SwitchFlow> flows;    ///< ascending ids; route sets not given yet
  std::vector<std::uint32_t> crossing;  ///< of each of `flows`; none for unicasts and control
  std::vector<ShapeId> shape;           ///< of each of `flows`, likewise
};

/// Sends the fabric's flows through a tree: up to the lowest switch above all their sources and destinations,
/// and down from there. Operands are joined at every switch on the way up, and what comes down is only
/// copied, so that nothing ever waits on a down port (FRED sec. 5.1). A multicast is copied as early as can
/// be.
///
/// Every up port passes flows in the plan's order, or the fabric deadlocks. A reduction that waits at a
/// switch for its partners holds up what is behind it in the input buffer, so nothing earlier may still have
/// to come there: partners can depend on it. The exception are unicasts and multicasts that turn around at
/// the very next switch: they wait for nothing there and leave by down ports, which always drain. They pass
/// as they come. So the earliest flow that has not ended is never held up: what is ahead of it in a buffer
/// drains.
///
/// Returns the traffic of every switch, as in Tree::switches(). `keep_order` is that of PlanOptions.
std::vector<SwitchTraffic> traffic_of_switches(const std::vector<hw::Flow>&, const hw::PacketFormat&,
                                               const PlaneAssignment&, const sw::Tree&, bool keep_order);

}  // namespace fredsim::tb
