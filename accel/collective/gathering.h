#pragma once

#include "accel/collective/algorithm.h"

namespace fredsim::accel {

/// Sums on their way out of a fabric: the elements are dealt out evenly to the sinks, the last `sinks` ranks
/// of the request, and each sink's part runs along a tree of the other ranks, which add theirs.
/// `groups[s][r]` is whom rank r sends the part of sink s to; one rank sends it to the sink itself.
///
/// Chunk after chunk, and within a chunk tree after tree, so that trees that share a link get as far. Throws
/// hw::InternalError when the ranks of a tree send in a circle.
Steps gather_steps(const CollectiveRequest& request);

}  // namespace fredsim::accel
