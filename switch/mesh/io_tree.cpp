#include "switch/mesh/io_tree.h"

#include <algorithm>
#include <map>
#include <utility>

namespace fredsim::sw {

bool column_first(const Mesh& mesh, std::uint32_t controller) {
  const Side side = mesh.io_port(controller).side;
  return side == Side::north || side == Side::south;
}

std::vector<SideMask> io_tree(const Mesh& mesh, std::uint32_t controller) {
  std::vector<SideMask> outputs(mesh.nodes(), mask_of(Side::local));
  const MeshPort port = mesh.io_port(controller);
  const Side along = opposite(port.side);
  const bool column = column_first(mesh, controller);
  const Side branches[] = {column ? Side::east : Side::north, column ? Side::west : Side::south};
  std::optional<std::uint32_t> trunk = port.node;
  while (trunk) {
    const std::optional<std::uint32_t> next = mesh.neighbour(*trunk, along);
    if (next) outputs[*trunk] |= mask_of(along);
    for (const Side branch : branches) {
      std::uint32_t node = *trunk;
      while (const std::optional<std::uint32_t> further = mesh.neighbour(node, branch)) {
        outputs[node] |= mask_of(branch);
        node = *further;
      }
    }
    trunk = next;
  }
  return outputs;
}

std::uint32_t hot_link_streams(const Mesh& mesh) {
  std::map<std::pair<std::uint32_t, Side>, std::uint32_t> over;
  std::uint32_t most = 0;
  for (std::uint32_t c = 0; c < mesh.io_controllers(); ++c) {
    const std::vector<SideMask> outputs = io_tree(mesh, c);
    for (std::uint32_t n = 0; n < mesh.nodes(); ++n) {
      for (const Side side : {Side::east, Side::west, Side::north, Side::south}) {
        if ((outputs[n] & mask_of(side)) != 0) most = std::max(most, ++over[{n, side}]);
      }
    }
  }
  return most;
}

}  // namespace fredsim::sw
