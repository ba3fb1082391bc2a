#include "accel/npu/operation_board.h"

#include <algorithm>

namespace fredsim::accel {

OperationBoard::OperationBoard(const std::vector<std::uint32_t>& members)
    : times_(members.size()), listeners_(members.size()) {
  for (std::size_t o = 0; o < members.size(); ++o) times_[o].members = members[o];
}

void OperationBoard::subscribe(hw::OperationId operation, Listener& listener) {
  listeners_.at(operation.value).push_back(&listener);
}

void OperationBoard::started(hw::OperationId operation, hw::Time at) {
  Times& times = times_.at(operation.value);
  if (times.started++ > 0) return;
  times.start = at;
  if (on_start_) on_start_(operation, at);
}

void OperationBoard::ended(hw::OperationId operation, hw::Time at) {
  Times& times = times_.at(operation.value);
  times.end = std::max(times.end, at);
  if (++times.ended < times.members) return;
  ++ended_;
  for (Listener* listener : listeners_[operation.value]) listener->operation_ended(operation);
}

}  // namespace fredsim::accel
