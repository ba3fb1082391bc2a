#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "hw/core/records.h"
#include "switch/mesh/mesh.h"

namespace fredsim::sw {

/// Output ports of a router, a bit each by Side.
using SideMask = std::uint8_t;
constexpr SideMask mask_of(Side side) {
  return static_cast<SideMask>(1u << index(side));
}

/// Where the flows of a mesh go: unicasts by X-Y routing to a port, the others along a tree.
class MeshRoutes {
 public:
  explicit MeshRoutes(Mesh mesh) : mesh_(mesh) {}

  const Mesh& mesh() const { return mesh_; }
  /// Flows are added in the order of their ids.
  void add(MeshPort destination) { flows_.push_back({destination, none}); }
  /// By node: the ports that it sends copies to.
  void add_tree(std::vector<SideMask> outputs) {
    flows_.push_back({{}, static_cast<std::uint32_t>(trees_.size())});
    trees_.push_back(std::move(outputs));
  }
  std::size_t flows() const { return flows_.size(); }

  SideMask outputs(std::uint32_t node, hw::FlowId flow) const {
    const Route& route = flows_[flow.value];
    if (route.tree != none) return trees_[route.tree][node];
    const Side side = mesh_.towards(node, route.destination.node);
    return mask_of(side == Side::local ? route.destination.side : side);
  }

 private:
  static constexpr std::uint32_t none = UINT32_MAX;
  struct Route {
    MeshPort destination;
    std::uint32_t tree = none;
  };

  Mesh mesh_;
  std::vector<Route> flows_;
  std::vector<std::vector<SideMask>> trees_;
};

}  // namespace fredsim::sw
