#include "switch/mesh/mesh.h"

#include <gtest/gtest.h>

#include <map>
#include <set>

#include "switch/mesh/mesh_routes.h"

namespace fredsim::sw {
namespace {

TEST(Mesh, RoutesAlongTheRowFirstOverTheShortestWay) {
  for (const auto& [columns, rows] : {std::pair{4u, 5u}, {1u, 7u}, {32u, 32u}}) {
    const Mesh mesh(columns, rows);
    for (std::uint32_t a = 0; a < mesh.nodes(); a += 7) {
      for (std::uint32_t b = 0; b < mesh.nodes(); ++b) {
        std::uint32_t node = a, hops = 0;
        bool down_the_column = false;
        while (node != b) {
          const Side side = mesh.towards(node, b);
          const bool vertical = side == Side::north || side == Side::south;
          ASSERT_FALSE(down_the_column && !vertical);
          down_the_column = vertical;
          node = mesh.neighbour(node, side).value();
          ++hops;
        }
        ASSERT_EQ(mesh.towards(node, b), Side::local);
        ASSERT_EQ(hops, mesh.distance(a, b));
      }
    }
  }
}

TEST(Mesh, HasNeighboursBothWays) {
  const Mesh mesh(3, 4);
  std::size_t links = 0;
  for (std::uint32_t n = 0; n < mesh.nodes(); ++n) {
    for (const Side side : {Side::east, Side::west, Side::north, Side::south}) {
      const auto other = mesh.neighbour(n, side);
      if (!other) continue;
      ++links;
      EXPECT_EQ(mesh.neighbour(*other, opposite(side)), n);
    }
    EXPECT_FALSE(mesh.neighbour(n, Side::local));
  }
  EXPECT_EQ(links, 2u * (2 * 4 + 3 * 3));
}

// FRED sec. 7.1: 18 controllers on 4 columns and 5 rows, corners have two.
TEST(Mesh, HasAnIoControllerAtEverySideThatLeadsNowhere) {
  for (const auto& [columns, rows] : {std::pair{4u, 5u}, {1u, 1u}, {1u, 6u}, {5u, 2u}}) {
    const Mesh mesh(columns, rows);
    std::set<std::pair<std::uint32_t, Side>> ports;
    for (std::uint32_t c = 0; c < mesh.io_controllers(); ++c) {
      const MeshPort at = mesh.io_port(c);
      EXPECT_FALSE(mesh.neighbour(at.node, at.side));
      EXPECT_TRUE(ports.emplace(at.node, at.side).second);
    }
    std::size_t free = 0;
    for (std::uint32_t n = 0; n < mesh.nodes(); ++n) {
      for (const Side side : {Side::east, Side::west, Side::north, Side::south})
        free += !mesh.neighbour(n, side);
    }
    EXPECT_EQ(free, mesh.io_controllers());
  }
  EXPECT_EQ(Mesh(4, 5).io_controllers(), 18u);
}

TEST(MeshRoutes, KnowUnicastsAndTrees) {
  const Mesh mesh(3, 2);
  MeshRoutes routes(mesh);
  routes.add({5, Side::local});
  routes.add({2, Side::north});
  std::vector<SideMask> tree(mesh.nodes());
  tree[1] = mask_of(Side::east) | mask_of(Side::local);
  routes.add_tree(tree);
  EXPECT_EQ(routes.outputs(0, hw::FlowId(0)), mask_of(Side::east));
  EXPECT_EQ(routes.outputs(2, hw::FlowId(0)), mask_of(Side::south));
  EXPECT_EQ(routes.outputs(5, hw::FlowId(0)), mask_of(Side::local));
  EXPECT_EQ(routes.outputs(2, hw::FlowId(1)), mask_of(Side::north));
  EXPECT_EQ(routes.outputs(1, hw::FlowId(2)), mask_of(Side::east) | mask_of(Side::local));
}

}  // namespace
}  // namespace fredsim::sw
