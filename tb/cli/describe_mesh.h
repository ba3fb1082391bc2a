#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "switch/mesh/mesh.h"
#include "tb/cli/system_links.h"
#include "tb/systems/system.h"

namespace fredsim::tb {

/// All links of a mesh, classes "npu", "io" and "mesh".
std::vector<LinkPair> mesh_link_pairs(const System& system);

/// What its routers are, one entry for all.
nlohmann::ordered_json routers_of(const sw::Mesh& mesh);

/// A Graphviz picture (for `neato -n`) of the mesh: routers with the numbers of their NPUs, and the I/O
/// controllers round the edge.
std::string mesh_dot(const std::string& title, const sw::Mesh& mesh);

}  // namespace fredsim::tb
