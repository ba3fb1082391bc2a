#pragma once

#include <cstdint>
#include <vector>

#include "accel/npu/operation_board.h"
#include "hw/core/records.h"
#include "hw/link/flow_statistics.h"
#include "tb/plan/plan.h"

namespace fredsim::tb {

/// Looks for starvation: an operation that all its members have started and of which nothing arrives while
/// others move. It compares one look with the look before.
class StarvationWatch {
 public:
  /// All must outlive it.
  StarvationWatch(const Plan& plan, const hw::FlowTable& flows, const accel::OperationBoard& board);

  /// Whether operations have starved since the last look.
  bool look();
  /// Those that had at the last look, ascending.
  const std::vector<hw::OperationId>& starved() const { return starved_; }

 private:
  struct State {
    bool under_way = false;  ///< started by all members, and not ended
    std::uint64_t packets = 0;
  };

  const Plan& plan_;
  const hw::FlowTable& flows_;
  const accel::OperationBoard& board_;
  std::vector<State> states_;  ///< at the last look, by operation
  std::uint64_t packets_ = 0;  ///< of all, likewise
  std::vector<hw::OperationId> starved_;
};

}  // namespace fredsim::tb
