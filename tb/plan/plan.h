#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "accel/npu/program.h"
#include "hw/core/packet_format.h"
#include "hw/core/records.h"
#include "switch/fabric/switch_plan.h"
#include "tb/plan/conflict_policy.h"

namespace fredsim::tb {

/// The system a workload is planned for: one FRED switch, NPU i on port i.
struct PlanOptions {
  std::uint32_t ports = 8;   ///< of the switch, one NPU each
  std::uint32_t middle = 3;  ///< m of FRED_m(P)
  hw::PacketFormat packet;
  hw::DType dtype = hw::DType::fp16;  ///< of operations that name none (data.dtype)
  double npu_flops = 0;               ///< floating-point operations per second (npu.flops); 0: not known
  hw::Capacity route_memory;          ///< for all route sets but the default one (switch.route_memory)
  ConflictPolicy conflict = ConflictPolicy::fail;  ///< switch.conflict
};

/// What the plan says of an operation beyond the trace; index = OperationId.
struct PlannedOperation {
  std::string_view algorithm;      ///< "in-network", "unicast" (send, recv), "control" (barrier) or "local"
  std::uint64_t padded_bytes = 0;  ///< the trace's bytes, for reductions rounded up to whole elements
  hw::DType dtype = hw::DType::fp16;
  std::uint32_t element_bytes = 1;  ///< 1 where nothing is reduced
};

/// Operations whose flows can be in flight together but cannot be routed together: they take turns.
struct Turns {
  std::vector<hw::OperationId> operations;  ///< where it happens first, in the plan's order
  std::uint64_t times = 0;                  ///< flows for which the same ports conflict
};

/// All that a simulation of a workload is told before time starts.
struct Plan {
  std::vector<hw::OperationId> order;        ///< every operation, in the plan's order
  std::vector<PlannedOperation> operations;  ///< index = OperationId
  std::vector<hw::Flow> flows;  ///< index = FlowId; ascends in the plan's order: a smaller id is older
  std::vector<accel::Program> programs;  ///< index = NpuId, one for every NPU of the system
  std::vector<sw::SwitchPlan> switches;  ///< one
  std::vector<Turns> turns;              ///< empty when every set of concurrent flows routes
  bool packed = false;  ///< route sets are packed to fit the route memory, concurrent flows may take turns
};

/// Plans `workload` for the system of `options`. Throws InputError, naming file, line and operation, for what
/// this system cannot run: more NPUs than it has, an operation it has no part for, flows that conflict
/// (policy `fail`), more route sets than its memory holds.
Plan make_plan(const hw::Workload& workload, const PlanOptions& options);

}  // namespace fredsim::tb
