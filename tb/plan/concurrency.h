#pragma once

#include <bitset>
#include <cstddef>
#include <vector>

#include "hw/core/records.h"
#include "tb/plan/order.h"

namespace fredsim::tb {

/// Which operations can be in flight together: those that no chain of dependencies orders.
///
/// The chosen operations are numbered by depth (the length of the longest chain of dependencies before them),
/// then by the plan's order, so that those that run at about the same time are near each other whatever the
/// order of the trace file. An operation is compared with the `window` chosen ones before it, and counts as
/// ordered with those that are further away: a bit for each of a window keeps this linear in the length of
/// the trace.
class Concurrency {
 public:
  static constexpr std::size_t window = 512;

  /// `chosen`: index = OperationId.
  Concurrency(const hw::Workload&, const Order&, const std::vector<bool>& chosen);

  /// The chosen operations; their numbers are the indices.
  const std::vector<hw::OperationId>& operations() const { return operations_; }

  /// Whether the operations numbered `earlier` < `later` can be in flight together.
  bool together(std::size_t earlier, std::size_t later) const {
    const std::size_t back = later - 1 - earlier;
    return back < window && !before_[later][back];
  }

 private:
  using Window = std::bitset<window>;

  std::vector<hw::OperationId> operations_;
  std::vector<Window> before_;  ///< of number i: bit k says that number i - 1 - k comes before it
};

}  // namespace fredsim::tb
