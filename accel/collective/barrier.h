#pragma once

#include "accel/collective/rank_steps.h"

namespace fredsim::accel {

/// Dissemination barrier (Hensgen, Finkel, Manber 1988): in round k = 0, 1, ... every rank tells the one 2^k
/// places further, having heard in every round before from the one 2^(k-1) places back. After ceil(log2 N)
/// rounds each has heard of all. Element k of a rank's steps stands for the control packet of round k, which
/// carries no data.
std::vector<RankSteps> dissemination_barrier(std::uint32_t ranks);

}  // namespace fredsim::accel
