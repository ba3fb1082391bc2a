#include "tb/plan/planes.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <random>
#include <set>

#include "tb/plan/group_coloring.h"
#include "tb/plan/order.h"
#include "tb/plan/plan.h"
#include "tb/tests/plan/workloads.h"

namespace fredsim::tb {
namespace {

using testing::WorkloadBuilder;

/// The wafer: 5 switches of 4 NPUs, 4 planes.
sw::TreeShape wafer() {
  sw::TreeShape shape;
  shape.leaf_npus = 4;
  shape.upper = {{5, 4}};
  shape.io_controllers = 18;
  return shape;
}

PlanOptions on_wafer() {
  PlanOptions options;
  options.tree = wafer();
  options.conflict = ConflictPolicy::block;
  return options;
}

/// Fewest colors by trying 1, 2, ... with plain backtracking.
std::uint32_t fewest_colors(std::size_t vertices, const std::function<bool(std::size_t, std::size_t)>& edge) {
  if (vertices == 0) return 0;
  std::vector<std::uint32_t> color(vertices);
  for (std::uint32_t colors = 1;; ++colors) {
    const std::function<bool(std::size_t)> paint = [&](std::size_t v) {
      if (v == vertices) return true;
      for (color[v] = 0; color[v] < colors; ++color[v]) {
        bool free = true;
        for (std::size_t u = 0; u < v && free; ++u) free = !edge(u, v) || color[u] != color[v];
        if (free && paint(v + 1)) return true;
      }
      return false;
    };
    if (paint(0)) return colors;
  }
}

/// All groups of one dimension of a strategy: MP peers on consecutive NPUs, then PP, then DP.
std::vector<std::vector<std::uint32_t>> groups_of(std::uint32_t stride, std::uint32_t size,
                                                  std::uint32_t workers) {
  std::vector<std::vector<std::uint32_t>> groups;
  for (std::uint32_t first = 0; first < workers; ++first) {
    if (first / stride % size != 0) continue;
    groups.emplace_back();
    for (std::uint32_t i = 0; i < size; ++i) groups.back().push_back(first + i * stride);
  }
  return groups;
}

bool share_a_leaf(const std::vector<std::uint32_t>& a, const std::vector<std::uint32_t>& b) {
  const auto crosses = [](const std::vector<std::uint32_t>& g) { return g.front() / 4 != g.back() / 4; };
  if (!crosses(a) || !crosses(b)) return false;
  for (const std::uint32_t x : a) {
    for (const std::uint32_t y : b) {
      if (x / 4 == y / 4) return true;
    }
  }
  return false;
}

struct Degrees {
  std::uint32_t mp, pp, dp;
};

TEST(Planes, EveryStrategyOfTheWafer) {
  int sets = 0, more_than_there_are = 0;
  std::uint32_t most = 0;
  for (std::uint32_t mp = 1; mp <= 20; ++mp) {
    for (std::uint32_t pp = 1; mp * pp <= 20; ++pp) {
      for (std::uint32_t dp = 1; mp * pp * dp <= 20; ++dp) {
        const std::pair<std::uint32_t, std::uint32_t> dimensions[] = {{1, mp}, {mp, pp}, {mp * pp, dp}};
        for (const auto& [stride, size] : dimensions) {
          if (size == 1) continue;
          SCOPED_TRACE(::testing::Message()
                       << "MP(" << mp << ")-DP(" << dp << ")-PP(" << pp << "), groups of " << size);
          const auto groups = groups_of(stride, size, mp * pp * dp);
          WorkloadBuilder b(20);
          for (const auto& group : groups) {
            b.add("g" + std::to_string(group.front()), hw::OperationType::all_reduce, group, 1 << 20);
          }
          const Plan plan = make_plan(b.workload(), on_wafer());
          std::vector<std::vector<std::uint32_t>> crossing;
          for (const auto& group : groups) {
            if (share_a_leaf(group, group)) crossing.push_back(group);
          }
          const std::uint32_t needed = fewest_colors(crossing.size(), [&](std::size_t i, std::size_t j) {
            return share_a_leaf(crossing[i], crossing[j]);
          });
          EXPECT_EQ(plan.planes_needed[hw::index(hw::TrafficClass::dp)], needed);
          const bool turns = std::any_of(plan.turns.begin(), plan.turns.end(),
                                         [](const Turns& t) { return t.reason == Turns::Reason::planes; });
          EXPECT_EQ(turns, needed > 4);
          ++sets;
          more_than_there_are += needed > 4;
          most = std::max(most, needed);
        }
      }
    }
  }
  EXPECT_EQ(sets, 258);
  EXPECT_EQ(more_than_there_are, 32);
  EXPECT_EQ(most, 6u);
}

/// Planes of the flows of an operation.
std::set<std::uint32_t> planes_of(const Plan& plan, hw::OperationId o) {
  std::set<std::uint32_t> planes;
  for (const hw::Flow& flow : plan.flows) {
    if (flow.operation == o) planes.insert(flow.plane);
  }
  return planes;
}

TEST(Planes, OneGroupHasThemAll) {
  WorkloadBuilder b(20);
  const auto all = b.add("a", hw::OperationType::all_reduce, {0, 5, 9}, 1 << 20);
  EXPECT_EQ(planes_of(make_plan(b.workload(), on_wafer()), all), (std::set<std::uint32_t>{0, 1, 2, 3}));
}

TEST(Planes, TwoGroupsThatMeetHaveHalfEach) {
  WorkloadBuilder b(20);
  const auto one = b.add("a", hw::OperationType::all_reduce, {0, 4, 8, 12, 16}, 1 << 20);
  const auto two = b.add("b", hw::OperationType::all_reduce, {1, 5, 9, 13, 17}, 1 << 20);
  const Plan plan = make_plan(b.workload(), on_wafer());
  EXPECT_EQ(planes_of(plan, one).size(), 2u);
  EXPECT_EQ(planes_of(plan, two).size(), 2u);
  for (const std::uint32_t p : planes_of(plan, one)) EXPECT_EQ(planes_of(plan, two).count(p), 0u);
}

TEST(Planes, GroupsInOrderOrOfTwoClassesOrThatDoNotMeetShareThem) {
  const std::set<std::uint32_t> all{0, 1, 2, 3};
  WorkloadBuilder b(20);
  const auto first = b.add("a", hw::OperationType::all_reduce, {0, 4, 8}, 1 << 20);
  const auto later = b.add("b", hw::OperationType::all_reduce, {0, 4, 9}, 1 << 20, {first});
  const auto other = b.add("c", hw::OperationType::all_reduce, {1, 5, 10}, 1 << 20);
  b.at(other).traffic_class = hw::TrafficClass::mp;
  const auto apart = b.add("d", hw::OperationType::all_reduce, {12, 16}, 1 << 20);
  const Plan plan = make_plan(b.workload(), on_wafer());
  for (const auto o : {first, later, other, apart}) EXPECT_EQ(planes_of(plan, o), all);
}

TEST(Planes, AGroupWithinOneSwitchNeedsNone) {
  WorkloadBuilder b(20);
  const auto local = b.add("a", hw::OperationType::all_reduce, {0, 1, 2, 3}, 1 << 20);
  const Plan plan = make_plan(b.workload(), on_wafer());
  EXPECT_EQ(plan.planes_needed[hw::index(hw::TrafficClass::dp)], 0u);
  ASSERT_EQ(plan.flows.size(), 1u);
  EXPECT_EQ(plan.flows[0].operation, local);
}

TEST(Planes, StripesShareTheBytesPacketByPacket) {
  for (const std::uint64_t bytes : {1u, 2u, 4090u, 4091u, 8180u, 20450u, 100003u, 1u << 20}) {
    WorkloadBuilder b(20);
    b.add("a", hw::OperationType::broadcast, {0, 7, 19}, bytes);
    b.at(hw::OperationId(0)).root = hw::NpuId(7);
    const PlanOptions options = on_wafer();
    const Plan plan = make_plan(b.workload(), options);
    const std::uint64_t payload = options.packet.bytes - options.packet.header;
    std::vector<std::uint64_t> expected(std::min<std::uint64_t>(4, (bytes + payload - 1) / payload));
    for (std::uint64_t at = 0, k = 0; at < bytes; at += payload, ++k) {
      expected[k % expected.size()] += std::min(payload, bytes - at);
    }
    ASSERT_EQ(plan.flows.size(), expected.size());
    for (std::size_t s = 0; s < expected.size(); ++s) {
      EXPECT_EQ(plan.flows[s].bytes, expected[s]);
      EXPECT_EQ(plan.flows[s].stripe, s);
    }
  }
}

TEST(Planes, ColoringUsesTheFewestColors) {
  std::mt19937 random(20251130);
  for (int round = 0; round < 300; ++round) {
    const std::size_t vertices = 1 + random() % 10;
    const std::uint32_t density = random() % 100;
    std::set<std::pair<std::size_t, std::size_t>> edges;
    GroupGraph graph(vertices);
    for (std::size_t u = 0; u < vertices; ++u) {
      for (std::size_t v = u + 1; v < vertices; ++v) {
        if (random() % 100 >= density) continue;
        edges.insert({u, v});
        add_edge(u, v, graph);
      }
    }
    const GroupColoring coloring = color_groups(graph);
    for (const auto& [u, v] : edges) {
      EXPECT_NE(coloring.color[u], coloring.color[v]);
      EXPECT_EQ(coloring.component[u], coloring.component[v]);
    }
    const std::uint32_t fewest = fewest_colors(vertices, [&](std::size_t u, std::size_t v) {
      return edges.count({u, v}) > 0;
    });
    EXPECT_EQ(*std::max_element(coloring.colors_of.begin(), coloring.colors_of.end()), fewest)
        << "round " << round;
  }
}

}  // namespace
}  // namespace fredsim::tb
