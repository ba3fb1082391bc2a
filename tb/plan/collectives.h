#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "hw/core/records.h"
#include "tb/plan/endpoint.h"
#include "tb/plan/plan.h"

namespace fredsim::tb {

/// A flow and where its bytes lie: at the same place in the source buffers of all its sources, and in the
/// result buffers of all its destinations.
struct Transfer {
  hw::Flow flow;
  std::uint64_t source_begin = 0;
  std::uint64_t result_begin = 0;
};

/// The dtype, padding and algorithm of an operation, with its steps by `planner` if the members carry it out
/// themselves. Throws InputError for what the system of `options` cannot run.
PlannedOperation plan_operation(const hw::Workload&, hw::OperationId, const PlanOptions& options,
                                EndpointPlanner& planner);

/// The flows that carry out an operation in the network (FRED table 2), in the order in which a member
/// injects them: none for a group of one, for zero bytes, for a compute, and for a receive (its data is the
/// flow of its send).
std::vector<Transfer> transfers_of(const hw::Workload&, hw::OperationId, const PlannedOperation&);

/// Whether the operation has flows that the network joins or copies: these want planes and routes of their
/// own.
bool joins_or_copies(const hw::Operation&, const PlannedOperation&);

/// How long a compute takes: as given, or flops / npu.flops rounded up to a femtosecond. Zero for other
/// types.
hw::Time compute_time(const hw::Workload&, hw::OperationId, const PlanOptions& options);

/// `trace.jsonl:12: operation "dp0": `, the beginning of a message about an operation.
std::string place_of(const hw::Workload&, hw::OperationId);

}  // namespace fredsim::tb
