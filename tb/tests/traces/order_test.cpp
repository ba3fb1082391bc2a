// The search for cycles against a second implementation that knows no virtual vertices and no components.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "tb/tests/traces/trace_text.h"
#include "traces/format/check.h"
#include "traces/format/match.h"
#include "traces/format/order_graph.h"

namespace fredsim::trace::testing {
namespace {

using hw::NpuId;
using hw::OperationId;
using Pair = std::pair<std::uint32_t, std::uint32_t>;  // operation, NPU

/// Every edge between pairs, spelled out by the rules of the format.
std::map<Pair, std::set<Pair>> edges_of(const hw::Workload& workload, const Matching& matching) {
  std::map<Pair, std::set<Pair>> edges;
  for (std::uint32_t b = 0; b < workload.operations.size(); ++b) {
    const hw::Operation& later = workload.operations[b];
    for (const OperationId a : later.after) {
      for (const NpuId x : workload.operations[a.value].npus) {
        for (const NpuId y : later.npus) {
          if (x == y) edges[{a.value, x.value}].insert({b, y.value});
        }
      }
    }
    for (const OperationId a : later.after_all) {
      for (const NpuId x : workload.operations[a.value].npus) {
        for (const NpuId y : later.npus) edges[{a.value, x.value}].insert({b, y.value});
      }
    }
    if (later.type == hw::OperationType::recv && matching.partner[b]) {
      const std::uint32_t send = matching.partner[b]->value;
      edges[{send, workload.operations[send].npus[0].value}].insert({b, later.npus[0].value});
    }
  }
  return edges;
}

/// Pairs that are left when those that wait for nothing are taken away again and again.
std::set<Pair> stuck_pairs(const hw::Workload& workload, const std::map<Pair, std::set<Pair>>& edges) {
  std::set<Pair> left;
  for (std::uint32_t i = 0; i < workload.operations.size(); ++i) {
    for (const NpuId npu : workload.operations[i].npus) left.insert({i, npu.value});
  }
  for (bool changed = true; changed;) {
    changed = false;
    for (auto pair = left.begin(); pair != left.end();) {
      bool waits = false;
      for (const auto& [from, tos] : edges) waits = waits || (left.count(from) && tos.count(*pair));
      pair = waits ? std::next(pair) : (changed = true, left.erase(pair));
    }
  }
  return left;
}

hw::Workload random_graph(std::uint64_t seed) {
  std::mt19937_64 engine(seed);
  const auto below = [&](std::uint64_t n) { return engine() % n; };
  hw::Workload workload;
  workload.npus = static_cast<std::uint32_t>(1 + below(5));
  const auto count = static_cast<std::uint32_t>(1 + below(9));
  for (std::uint32_t i = 0; i < count; ++i) {
    hw::Operation operation;
    operation.id = std::to_string(i);
    operation.type = hw::OperationType::barrier;
    for (std::uint32_t npu = 0; npu < workload.npus; ++npu) {
      if (below(2) == 0) operation.npus.emplace_back(npu);
    }
    if (operation.npus.empty()) operation.npus.emplace_back(0);
    if (workload.npus > 1 && below(3) == 0) {
      operation.type = below(2) == 0 ? hw::OperationType::send : hw::OperationType::recv;
      operation.npus.resize(1);
      operation.peer = NpuId(static_cast<std::uint32_t>((operation.npus[0].value + 1) % workload.npus));
    }
    for (auto* list : {&operation.after, &operation.after_all}) {
      for (std::uint32_t j = 0; j < count; ++j) {
        if (j != i && below(list == &operation.after ? 5 : 12) == 0) list->emplace_back(j);
      }
    }
    workload.operations.push_back(std::move(operation));
  }
  return workload;
}

TEST(OrderGraph, AgreesWithBruteForceOnSmallGraphs) {
  int cyclic = 0;
  for (std::uint64_t seed = 1; seed <= 3000; ++seed) {
    SCOPED_TRACE(seed);
    const hw::Workload workload = random_graph(seed);
    const Matching matching = match(workload);
    const auto edges = edges_of(workload, matching);
    const auto cycles = OrderGraph(workload, matching).cycles();
    ASSERT_EQ(cycles.empty(), stuck_pairs(workload, edges).empty());
    cyclic += !cycles.empty();
    for (const OrderGraph::Cycle& cycle : cycles) {
      ASSERT_GE(cycle.path.size(), 2u);
      for (std::size_t i = 0; i < cycle.path.size(); ++i) {
        const OperationAtNpu &a = cycle.path[i], &b = cycle.path[(i + 1) % cycle.path.size()];
        const auto out = edges.find({a.operation.value, a.npu.value});
        ASSERT_TRUE(out != edges.end() && out->second.count({b.operation.value, b.npu.value}))
            << "no edge from pair " << i << " of the path";
      }
    }
  }
  EXPECT_GT(cyclic, 300);
  EXPECT_LT(cyclic, 2700);
}

TEST(OrderGraph, DepthIsTheLongestChainOfPairs) {
  for (std::uint64_t seed = 1; seed <= 1000; ++seed) {
    SCOPED_TRACE(seed);
    hw::Workload workload = random_graph(seed);
    // Backward references only: no cycles.
    for (std::uint32_t i = 0; i < workload.operations.size(); ++i) {
      hw::Operation& operation = workload.operations[i];
      if (operation.type != hw::OperationType::barrier) {
        operation.type = hw::OperationType::barrier;
        operation.peer.reset();
      }
      for (auto* list : {&operation.after, &operation.after_all}) {
        list->erase(std::remove_if(list->begin(), list->end(), [&](OperationId id) { return id.value >= i; }),
                    list->end());
      }
    }
    const Matching matching = match(workload);
    const auto edges = edges_of(workload, matching);
    std::map<Pair, std::uint64_t> longest;
    std::uint64_t depth = 0;
    for (std::uint32_t i = 0; i < workload.operations.size(); ++i) {
      for (const NpuId npu : workload.operations[i].npus) {
        std::uint64_t before = 0;
        for (const auto& [from, tos] : edges) {
          if (tos.count({i, npu.value})) before = std::max(before, longest[from]);
        }
        longest[{i, npu.value}] = before + 1;
        depth = std::max(depth, before + 1);
      }
    }
    EXPECT_EQ(OrderGraph(workload, matching).depth(), depth);
  }
}

TEST(OrderGraph, EveryKnotIsReported) {
  const ReadResult result = read_lines(R"({"id":"a","type":"barrier","npus":[0],"after":["b"]})"
                                       "\n"
                                       R"({"id":"b","type":"barrier","npus":[0],"after":["a"]})"
                                       "\n"
                                       R"({"id":"c","type":"barrier","npus":[0],"after":["a","e"]})"
                                       "\n"
                                       R"({"id":"d","type":"barrier","npus":[0],"after":["c"]})"
                                       "\n"
                                       R"({"id":"e","type":"barrier","npus":[0],"after":["d"]})"
                                       "\n");
  EXPECT_EQ(text_of(result.problems),
            "t.jsonl:2: operation \"a\": waits for itself in a cycle (each must end before the next): \"a\" "
            "at NPU 0 -> "
            "\"b\" at NPU 0 -> \"a\" at NPU 0\n"
            "t.jsonl:4: operation \"c\": waits for itself in a cycle (each must end before the next): \"c\" "
            "at NPU 0 -> "
            "\"d\" at NPU 0 -> \"e\" at NPU 0 -> \"c\" at NPU 0\n");
}

TEST(OrderGraph, ALongCycleIsShortened) {
  std::string lines;
  for (int i = 0; i < 100; ++i) {
    lines += "{\"id\":\"" + std::to_string(i) + "\",\"type\":\"barrier\",\"npus\":[0],\"after\":[\"" +
             std::to_string((i + 99) % 100) + "\"]}\n";
  }
  const ReadResult result = read_lines(lines);
  ASSERT_EQ(result.problems.size(), 1u);
  EXPECT_NE(result.problems[0].reason.find("\"15\" at NPU 0 -> ... 84 more ... -> \"0\" at NPU 0"),
            std::string::npos)
      << result.problems[0].reason;
}

TEST(OrderGraph, AfterAllOfLargeGroupsStaysLinear) {
  // 400 barriers of 4000 NPUs in an after_all chain: 6.4e9 edges if they were spelled out.
  hw::Workload workload;
  workload.npus = 4000;
  for (std::uint32_t i = 0; i < 400; ++i) {
    hw::Operation operation;
    operation.id = std::to_string(i);
    operation.type = hw::OperationType::barrier;
    for (std::uint32_t npu = 0; npu < workload.npus; ++npu) operation.npus.emplace_back(npu);
    if (i != 0) operation.after_all.emplace_back(i - 1);
    workload.operations.push_back(std::move(operation));
  }
  EXPECT_TRUE(check(workload).empty());
}

TEST(OrderGraph, AChainOfAHundredThousandOperationsNeedsNoDeepStack) {
  hw::Workload workload;
  workload.npus = 1;
  for (std::uint32_t i = 0; i < 100'000; ++i) {
    hw::Operation operation;
    operation.id = std::to_string(i);
    operation.type = hw::OperationType::barrier;
    operation.npus = {NpuId(0)};
    operation.after = {OperationId((i + 1) % 100'000)};
    workload.operations.push_back(std::move(operation));
  }
  const std::vector<Problem> problems = check(workload);
  ASSERT_EQ(problems.size(), 1u);
  workload.operations[0].after.clear();
  EXPECT_TRUE(check(workload).empty());
}

}  // namespace
}  // namespace fredsim::trace::testing
