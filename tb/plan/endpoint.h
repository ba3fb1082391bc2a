#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <vector>

#include "accel/collective/algorithm.h"
#include "accel/collective/rank_steps.h"
#include "hw/core/records.h"
#include "switch/fabric/tree.h"
#include "tb/plan/plan.h"

namespace fredsim::tb {

/// How the members of a collective carry it out among themselves; the same for all that only differ in the
/// NPUs of the members.
struct EndpointPlan {
  accel::CollectiveRequest request;
  accel::Steps steps;
  std::vector<accel::RankSteps> ranks;
};

/// Whether the members of such an operation can carry it out in steps that depend on each other. All other
/// collectives are unicasts in any case.
bool has_steps(hw::OperationType);

/// Makes the steps of collectives, those of equal ones once.
class EndpointPlanner {
 public:
  /// `place_of` tells which NPUs are near each other: those of one first-level switch, of one row.
  EndpointPlanner(const PlanOptions& options, std::function<std::uint32_t(hw::NpuId)> place_of)
      : options_(options), place_of_(std::move(place_of)) {}

  /// Gives `planned`, an operation of several members with steps, to the members by `algorithm`, and names
  /// that. Without groups of one size near each other a hierarchical algorithm is a ring.
  void plan(const hw::Operation& operation, accel::Algorithm algorithm, PlannedOperation& planned);
  /// Gives a barrier to its members, by dissemination.
  void plan_barrier(const hw::Operation& operation, PlannedOperation& planned);

 private:
  struct Less {
    bool operator()(const accel::CollectiveRequest& a, const accel::CollectiveRequest& b) const;
  };

  std::vector<accel::Ranks> groups_of(const hw::Group& npus, const accel::Ranks& ring) const;
  std::uint32_t chunks_of(const accel::CollectiveRequest& request, std::uint32_t element_bytes) const;

  const PlanOptions& options_;
  std::function<std::uint32_t(hw::NpuId)> place_of_;
  std::map<accel::CollectiveRequest, std::shared_ptr<const EndpointPlan>, Less> made_;
};

}  // namespace fredsim::tb
