#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "hw/core/records.h"

namespace fredsim::sw {

/// A flow that could fire now: all its operands are here and all its outputs have room.
struct Candidate {
  hw::FlowId flow;  ///< a smaller id is older in the plan's order
  hw::VirtualChannel vc = hw::VirtualChannel::dp;
  std::uint32_t route_set = 0;
  hw::Time ready;  ///< since when it could have fired
};

/// Decides which flow's route set the switch serves next. A user's own takes the place of ours.
class Arbiter {
 public:
  virtual ~Arbiter() = default;
  /// An index into `candidates` (never empty). If its route set is not `current`, the switch drains and
  /// reconfigures.
  virtual std::size_t choose(const std::vector<Candidate>& candidates, std::uint32_t current) = 0;
};

using ArbiterFactory = std::function<std::unique_ptr<Arbiter>()>;

/// MP before PP before DP; in a class the oldest flow, by the plan's order (FRED sec. 5.4). With preemption a
/// flow of a higher class takes the switch as soon as it is a candidate; without, the current route set keeps
/// the switch as long as it has a candidate.
class PriorityArbiter : public Arbiter {
 public:
  explicit PriorityArbiter(bool preemption) : preemption_(preemption) {}
  std::size_t choose(const std::vector<Candidate>& candidates, std::uint32_t current) override;

 private:
  bool preemption_;
};

}  // namespace fredsim::sw
