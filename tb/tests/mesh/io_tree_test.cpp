#include "switch/mesh/io_tree.h"

#include <gtest/gtest.h>

#include <set>

namespace fredsim::sw {
namespace {

// Every router is reached once, and a copy never leaves by the side it came in by.
TEST(IoTree, ReachesEveryRouterOnce) {
  for (const auto& [columns, rows] : {std::pair{4u, 5u}, {1u, 1u}, {1u, 5u}, {6u, 2u}, {7u, 7u}}) {
    const Mesh mesh(columns, rows);
    for (std::uint32_t c = 0; c < mesh.io_controllers(); ++c) {
      const std::vector<SideMask> outputs = io_tree(mesh, c);
      std::vector<int> reached(mesh.nodes());
      std::vector<std::uint32_t> open{mesh.io_port(c).node};
      while (!open.empty()) {
        const std::uint32_t node = open.back();
        open.pop_back();
        ++reached[node];
        ASSERT_LT(reached[node], 2);
        EXPECT_NE(outputs[node] & mask_of(Side::local), 0);
        for (const Side side : {Side::east, Side::west, Side::north, Side::south}) {
          if ((outputs[node] & mask_of(side)) != 0) open.push_back(mesh.neighbour(node, side).value());
        }
      }
      EXPECT_EQ(std::set<int>(reached.begin(), reached.end()), std::set<int>{1});
    }
  }
}

// FRED sec. 7.1: 2 N - 1 channels on N x N; on 4 columns and 5 rows nine of 128 GB/s meet on a link of 750.
TEST(IoTree, LoadsTheHotLinkAsDerived) {
  for (std::uint32_t n = 2; n <= 8; ++n) EXPECT_EQ(hot_link_streams(Mesh(n, n)), 2 * n - 1);
  EXPECT_EQ(hot_link_streams(Mesh(4, 5)), 9u);
}

// Links that a tree of one kind turns from are never trunks of trees of the same kind.
TEST(IoTree, TurnsOnlyFromItsTrunk) {
  const Mesh mesh(5, 4);
  for (std::uint32_t c = 0; c < mesh.io_controllers(); ++c) {
    const std::vector<SideMask> outputs = io_tree(mesh, c);
    const bool column = column_first(mesh, c);
    for (std::uint32_t n = 0; n < mesh.nodes(); ++n) {
      const bool trunk = column ? mesh.column_of(n) == mesh.column_of(mesh.io_port(c).node)
                                : mesh.row_of(n) == mesh.row_of(mesh.io_port(c).node);
      const SideMask along = static_cast<SideMask>(column ? mask_of(Side::north) | mask_of(Side::south)
                                                          : mask_of(Side::east) | mask_of(Side::west));
      if (!trunk) {
        EXPECT_EQ(outputs[n] & along, 0);
      }
    }
  }
}

}  // namespace
}  // namespace fredsim::sw
