#pragma once

#include <optional>
#include <vector>

#include "hw/core/records.h"
#include "traces/format/problem.h"

namespace fredsim::trace {

/// Which receive takes which send: by (from, to, tag), in file order.
struct Matching {
  std::vector<std::optional<hw::OperationId>> partner;  ///< by operation; set for a send and its receive
  std::vector<Problem> unmatched;                       ///< sends without a receive, receives without a send
};

/// Sends and receives whose NPU or peer is missing, outside the trace, or one and the same are left out.
Matching match(const hw::Workload& workload);

/// Fills `Operation::partner` of every matched send and receive.
void set_partners(hw::Workload& workload);

}  // namespace fredsim::trace
