#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "accel/npu/program.h"
#include "hw/core/packet_format.h"
#include "hw/core/records.h"
#include "switch/fabric/switch_plan.h"
#include "switch/fabric/tree.h"
#include "switch/mesh/mesh_routes.h"
#include "tb/plan/algorithm_choice.h"
#include "tb/plan/conflict_policy.h"
#include "tb/plan/route_miss.h"

namespace fredsim::tb {

struct EndpointPlan;

/// A mesh of routers, which take no part in collectives.
struct MeshOptions {
  sw::Mesh mesh;
  hw::Bandwidth link;  ///< between routers
};

/// The system a workload is planned for.
struct PlanOptions {
  sw::TreeShape tree = sw::single_switch(8);
  std::optional<MeshOptions> mesh;  ///< in place of the tree
  std::uint32_t middle = 3;         ///< m of FRED_m(P), of every switch
  hw::PacketFormat packet;
  hw::DType dtype = hw::DType::fp16;       ///< of operations that name none (data.dtype)
  double npu_flops = 0;                    ///< floating-point operations per second (npu.flops); 0: not known
  hw::Capacity route_memory;               ///< for all route sets but the default one (switch.route_memory)
  RouteMiss route_miss = RouteMiss::fail;  ///< switch.route_miss
  ConflictPolicy conflict = ConflictPolicy::fail;  ///< switch.conflict
  /// False: NPUs and up ports do not keep the plan's order, and reductions can deadlock. Only for showing
  /// that they do.
  bool keep_order = true;
  std::array<AlgorithmChoice, hw::traffic_classes> algorithm{};  ///< collective.mp, .pp, .dp
  std::uint32_t chunks = 16;                                     ///< collective.chunks
  hw::Bandwidth npu_bandwidth;                                   ///< of an NPU's link
  hw::Bandwidth io_bandwidth;                                    ///< of an I/O controller's
  /// By level - 1: of the links up to that level. Empty: streams of endpoint collectives are not paced.
  std::vector<hw::Bandwidth> level_bandwidth;
};

/// What the plan says of an operation beyond the trace; index = OperationId.
struct PlannedOperation {
  /// "in-network", an endpoint algorithm ("ring"), "unicast" (send, recv), "control" (barrier) or "local".
  std::string_view algorithm;
  std::uint64_t padded_bytes = 0;  ///< the trace's bytes, for reductions rounded up to whole elements
  hw::DType dtype = hw::DType::fp16;
  std::uint32_t element_bytes = 1;  ///< 1 where nothing is reduced
  /// Null unless the members carry it out among themselves in steps.
  std::shared_ptr<const EndpointPlan> endpoint = nullptr;
};

/// Operations that can be in flight together but take turns.
struct Turns {
  enum class Reason : std::uint8_t {
    routes,  ///< their flows cannot be routed together at `place`, a switch
    planes,  ///< there are not planes enough for each to have one of its own
  };
  Reason reason = Reason::routes;
  std::string place;                        ///< the switch; empty for planes
  std::vector<hw::OperationId> operations;  ///< where it happens first, in the plan's order
  std::uint64_t times = 0;  ///< flows for which the same ports conflict; pairs of groups on one plane
};

/// All that a simulation of a workload is told before time starts.
struct Plan {
  std::vector<hw::OperationId> order;        ///< every operation, in the plan's order
  std::vector<PlannedOperation> operations;  ///< index = OperationId
  std::vector<hw::Flow> flows;  ///< index = FlowId; ascends in the plan's order: a smaller id is older
  /// Index = NpuId, one for every NPU of the system; behind them one for every I/O controller.
  std::vector<accel::Program> programs;
  std::vector<sw::SwitchPlan> switches;  ///< as in sw::Tree::switches()
  std::optional<sw::MeshRoutes> routes;  ///< of a mesh
  /// Index = switch: its route sets are packed to fit the route memory, concurrent flows may take turns.
  std::vector<bool> packed;
  std::vector<Turns> turns;  ///< empty when all that can be in flight together routes and has its planes
  /// By traffic class: planes with which no groups would have to take turns; 0 where nothing needs one.
  std::array<std::uint32_t, hw::traffic_classes> planes_needed{};
};

/// Plans `workload` for the system of `options`. Throws InputError, naming file, line and operation, for what
/// this system cannot run: more NPUs than it has, an operation it has no part for, flows that conflict
/// (policy `fail`), more route sets than its memory holds.
Plan make_plan(const hw::Workload& workload, const PlanOptions& options);

}  // namespace fredsim::tb
