#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "hw/core/records.h"
#include "switch/fabric/tree.h"
#include "tb/plan/concurrency.h"
#include "tb/plan/plan.h"

namespace fredsim::tb {

/// Neighbouring planes of level 2.
struct PlaneRange {
  std::uint32_t first = 0;
  std::uint32_t count = 1;
};

struct PlaneAssignment {
  std::vector<PlaneRange> of_operation;  ///< index = OperationId
  std::array<std::uint32_t, hw::traffic_classes> needed{};
  std::vector<Turns> turns;
};

/// Spreads the operations over the planes of a tree. Groups of a class that go up from the same switch and
/// that no dependency orders get distinct planes, max(1, floor(planes / groups)) each, where `groups` is the
/// number of colors of their conflict graph; when planes run out, they take turns. Unicasts get all planes, a
/// barrier one.
///
/// `concurrency` has the operations that need planes of their own: reductions and multicasts.
PlaneAssignment assign_planes(const hw::Workload&, const Concurrency& concurrency, const sw::Tree&);

}  // namespace fredsim::tb
