#include "tb/systems/starvation.h"

namespace fredsim::tb {

StarvationWatch::StarvationWatch(const Plan& plan, const hw::FlowTable& flows,
                                 const accel::OperationBoard& board)
    : plan_(plan), flows_(flows), board_(board), states_(board.operations()) {}

bool StarvationWatch::look() {
  std::vector<State> now(states_.size());
  std::vector<bool> sends(states_.size(), false);
  std::uint64_t packets = 0;
  for (std::uint32_t f = 0; f < plan_.flows.size(); ++f) {
    const std::size_t operation = plan_.flows[f].operation.value;
    now[operation].packets += flows_[hw::FlowId(f)].packets;
    packets += flows_[hw::FlowId(f)].packets;
    sends[operation] = true;
  }
  starved_.clear();
  for (std::uint32_t o = 0; o < now.size(); ++o) {
    const accel::OperationBoard::Times& times = board_[hw::OperationId(o)];
    now[o].under_way = sends[o] && times.started == times.members && !times.has_ended();
    const bool still = now[o].under_way && states_[o].under_way && now[o].packets == states_[o].packets;
    if (still && packets > packets_) starved_.emplace_back(o);
  }
  states_ = std::move(now);
  packets_ = packets;
  return !starved_.empty();
}

}  // namespace fredsim::tb
