#pragma once

#include <cstdint>
#include <vector>

#include "switch/mesh/mesh.h"
#include "switch/mesh/mesh_routes.h"

namespace fredsim::sw {

/// Whether an I/O controller's tree runs along its column first (those on the north and south edges), or
/// along its row. Trees of the two kinds turn into each other's trunks, so that they need a virtual channel
/// each, or a circle of full buffers can form.
bool column_first(const Mesh& mesh, std::uint32_t controller);

/// The broadcast tree of an I/O controller (FRED sec. 7.1): its trunk crosses the mesh straight from its
/// port, and at every router of it a branch goes each way to the edges. By node, the ports copies are sent
/// to. A gathering runs the same tree backwards.
std::vector<SideMask> io_tree(const Mesh& mesh, std::uint32_t controller);

/// Streams over the most loaded link between routers when all controllers broadcast at once: 2 N - 1 on N x N
/// routers.
std::uint32_t hot_link_streams(const Mesh& mesh);

}  // namespace fredsim::sw
