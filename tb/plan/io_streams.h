#pragma once

#include <vector>

#include "hw/core/records.h"
#include "switch/mesh/mesh.h"
#include "switch/mesh/mesh_routes.h"
#include "tb/plan/collectives.h"

namespace fredsim::tb {

/// What the I/O controllers send for a load: the bytes are split evenly among them; in mode broadcast each
/// sends its part to all members, in mode shard to every member what of it is in the member's shard.
/// Controller c is source `first + c`.
std::vector<Transfer> load_transfers(const hw::Operation& operation, hw::OperationId id, std::uint32_t first,
                                     std::uint32_t controllers);
/// The same on a mesh, where broadcasts go along trees. Row-first ones take another virtual channel than
/// column-first ones, which take that of the class: PP, or DP for those of class PP.
std::vector<Transfer> mesh_load_transfers(const hw::Operation& operation, hw::OperationId id,
                                          const sw::Mesh& mesh);

/// The tree of a broadcast of a load, with only those branches that lead to members.
std::vector<sw::SideMask> load_tree(const hw::Flow& flow, const sw::Mesh& mesh);

}  // namespace fredsim::tb
