// The trees along which stores are collected on a mesh.
#include <gtest/gtest.h>

#include <map>
#include <set>

#include "accel/collective/algorithm.h"
#include "accel/collective/rank_steps.h"
#include "tb/plan/io_streams.h"

namespace fredsim::tb {
namespace {

hw::Group all(const sw::Mesh& mesh) {
  hw::Group group;
  for (std::uint32_t n = 0; n < mesh.nodes(); ++n) group.emplace_back(n);
  return group;
}

// FRED sec. 7.1, as for loads: the hot link carries 2 N - 1 channels on N x N.
TEST(GatherTrees, LoadTheHotLinkAsDerived) {
  for (const auto& [columns, rows] :
       {std::pair{2u, 2u}, {3u, 3u}, {4u, 4u}, {5u, 5u}, {6u, 6u}, {7u, 7u}, {8u, 8u}, {4u, 5u}}) {
    const sw::Mesh mesh(columns, rows);
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> channels;
    const std::vector<accel::Ranks> trees = gather_trees(all(mesh), mesh);
    ASSERT_EQ(trees.size(), mesh.io_controllers());
    for (std::uint32_t c = 0; c < trees.size(); ++c) {
      for (std::uint32_t n = 0; n < mesh.nodes(); ++n) {
        const std::uint32_t to = trees[c][n];
        if (to < mesh.nodes()) {
          EXPECT_EQ(mesh.distance(n, to), 1u);
          ++channels[{n, to}];
        } else {
          EXPECT_EQ(to, mesh.nodes() + c);
          EXPECT_EQ(n, mesh.io_port(c).node);
        }
      }
    }
    std::uint32_t most = 0;
    for (const auto& [link, count] : channels) most = std::max(most, count);
    EXPECT_EQ(most, columns == rows ? 2 * columns - 1 : 9);
  }
}

// Of members anywhere: every one's data comes to every controller, once, in its part.
TEST(GatherTrees, BringEveryMembersDataToEveryController) {
  const sw::Mesh mesh(4, 3);
  for (const hw::Group& members :
       {hw::Group{hw::NpuId(5)}, hw::Group{hw::NpuId(11), hw::NpuId(0)},
        hw::Group{hw::NpuId(2), hw::NpuId(7), hw::NpuId(8), hw::NpuId(4)}, all(mesh)}) {
    accel::CollectiveRequest request;
    request.type = hw::OperationType::store;
    request.sinks = mesh.io_controllers();
    request.ranks = static_cast<std::uint32_t>(members.size()) + request.sinks;
    request.elements = 100;
    request.chunks = 3;
    request.groups = gather_trees(members, mesh);
    const accel::Steps steps = accel::make_steps(request);
    // Terms by rank and element.
    std::vector<std::vector<std::multiset<std::uint32_t>>> held(
        request.ranks, std::vector<std::multiset<std::uint32_t>>(request.elements));
    for (std::uint32_t r = 0; r < members.size(); ++r) {
      for (auto& element : held[r]) element.insert(r);
    }
    for (const accel::Step& step : steps) {
      for (std::uint64_t e = step.elements.begin; e < step.elements.end; ++e) {
        const auto term = held[step.from][e];
        if (!step.reduce) held[step.to][e].clear();
        held[step.to][e].insert(term.begin(), term.end());
      }
    }
    for (std::uint32_t c = 0; c < request.sinks; ++c) {
      const hw::Range part = hw::shard(request.elements, request.sinks, c);
      for (std::uint64_t e = 0; e < request.elements; ++e) {
        const std::size_t expected = e >= part.begin && e < part.end ? members.size() : 0;
        const auto& terms = held[members.size() + c][e];
        EXPECT_EQ(terms.size(), expected);
        EXPECT_EQ(std::set<std::uint32_t>(terms.begin(), terms.end()).size(), expected);
      }
    }
    EXPECT_EQ(accel::steps_by_rank(request, steps).size(), request.ranks);
  }
}

}  // namespace
}  // namespace fredsim::tb
