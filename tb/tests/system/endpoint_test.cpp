// Collectives that the NPUs carry out among themselves: right data, sums with the bits of the algorithm's own
// order, and the bytes of the closed form.
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>

#include "tb/plan/algorithm_choice.h"
#include "tb/tests/system/simulate.h"
#include "tb/tests/system/trees.h"

namespace fredsim::tb::test {
namespace {

const std::vector<std::string> endpoint = {
    "ring", "bidirectional-ring", "hierarchical-ring", "hierarchical-2d", "direct", "halving-doubling"};

std::vector<std::uint32_t> first(std::uint32_t count) {
  std::vector<std::uint32_t> npus(count);
  for (std::uint32_t n = 0; n < count; ++n) npus[n] = n;
  return npus;
}

class Endpoint : public testing::TestWithParam<std::string> {
 protected:
  /// One of each type that has steps, all of them in flight together, in three classes.
  static std::string one_of_each(const std::vector<std::uint32_t>& npus, std::uint64_t bytes,
                                 const std::string& more = "") {
    std::string lines;
    const std::vector<std::string> classes = {"mp", "pp", "dp"};
    int i = 0;
    for (const char* type :
         {"all_reduce", "reduce_scatter", "all_gather", "broadcast", "reduce", "all_to_all"}) {
      const bool rooted = i == 3 || i == 4;
      lines += line(
          type, type, npus,
          fmt::format(R"(,"bytes":{},"class":"{}"{}{})", bytes, classes[static_cast<std::size_t>(i++ % 3)],
                      rooted ? fmt::format(R"(,"root":{})", npus[npus.size() / 2]) : "", more));
    }
    return lines;
  }
};

TEST_P(Endpoint, CollectivesAreRightOnTheWafer) {
  for (const char* pattern : {"exact", "rounding"}) {
    for (const std::vector<std::uint32_t>& npus : {first(20), std::vector<std::uint32_t>{3, 19, 7, 0, 11, 4},
                                                   std::vector<std::uint32_t>{5, 6, 7, 4, 17}}) {
      for (const std::uint64_t bytes : {2u, 30'000u, 300'002u}) {
        Replay replay;
        replay.configuration = fred_b();
        replay.sets = {"collective.algorithm=" + GetParam(), fmt::format("data.pattern={}", pattern)};
        replay.workload = workload_of(one_of_each(npus, bytes), 20);
        const nlohmann::json result = simulate(replay);
        EXPECT_TRUE(is_right(result)) << pattern << " " << npus.size() << " " << bytes << result["status"];
        EXPECT_GT(result["verified_elements"], 0);
      }
    }
  }
}

TEST_P(Endpoint, CollectivesAreRightOnThreeLevelsBesideThoseInTheNetwork) {
  Replay replay;
  replay.configuration = configuration_text(three_levels());
  replay.sets = {"data.pattern=rounding", "collective.chunks=3"};
  std::string lines = one_of_each(first(24), 100'000, fmt::format(R"(,"algorithm":"{}")", GetParam()));
  for (const char* c : {"mp", "pp", "dp"}) {
    lines += line(fmt::format("in_{}", c), "all_reduce", {0, 5, 9, 13, 22},
                  fmt::format(R"(,"bytes":70000,"class":"{}")", c));
  }
  replay.workload = workload_of(lines, 24);
  const nlohmann::json result = simulate(replay);
  EXPECT_TRUE(is_right(result)) << result["waiting"].dump(1);
}

TEST_P(Endpoint, CollectivesWaitForComputeAndMemory) {
  std::string lines;
  for (std::uint32_t n = 0; n < 7; ++n)
    lines += line(fmt::format("c{}", n), "compute", {n}, fmt::format(R"(,"ns":{})", 50 * (n * 5 % 7)));
  lines += line("a", "all_reduce", {2, 0, 1, 6, 5, 4, 3},
                R"(,"bytes":56000,"after":["c0","c1","c2","c3","c4","c5","c6"])");
  double ns[2];
  for (const bool slow : {false, true}) {
    Replay replay;
    replay.sets = {"data.pattern=rounding", "collective.algorithm=" + GetParam()};
    if (slow) replay.sets.push_back("npu.memory_bandwidth=100 GB/s");
    replay.workload = workload_of(lines);
    const nlohmann::json result = simulate(replay);
    EXPECT_TRUE(is_right(result));
    ns[slow] = result["simulated_ns"];
  }
  // Six sevenths of the data are added at every NPU, or more; at 3 accesses of memory a byte.
  EXPECT_GT(ns[1], 3 * 56000.0 * 6 / 7 / 100);
  EXPECT_LT(ns[0], ns[1]);
}

INSTANTIATE_TEST_SUITE_P(Algorithms, Endpoint, testing::ValuesIn(endpoint), [](const auto& test) {
  std::string name = test.param;
  for (char& c : name) c = c == '-' ? '_' : c;
  return name;
});

// The result names what was carried out: what was asked for, or the ring that a hierarchy without groups is.
TEST(EndpointAlgorithm, IsNamedInTheResult) {
  Replay replay;
  replay.configuration = fred_b();
  replay.sets = {"collective.algorithm=hierarchical-ring", "collective.mp=in-network", "collective.pp=auto"};
  replay.workload =
      workload_of(line("all", "all_reduce", first(20), R"(,"bytes":4000)") +
                      line("leaf", "all_reduce", {0, 1, 2, 3}, R"(,"bytes":4000)") +
                      line("mp", "all_reduce", {0, 1, 2, 3}, R"(,"bytes":4000,"class":"mp")") +
                      line("pp", "all_reduce", {0, 1, 2, 3}, R"(,"bytes":4000,"class":"pp")") +
                      line("own", "all_reduce", first(20), R"(,"bytes":4000,"algorithm":"direct")") +
                      line("scatter", "scatter", first(20), R"(,"bytes":400,"root":3)"),
                  20);
  const nlohmann::json result = simulate(replay);
  EXPECT_TRUE(is_right(result));
  for (const auto& [id, algorithm] : {std::pair{"all", "hierarchical-ring"},
                                      {"leaf", "ring"},
                                      {"mp", "in-network"},
                                      {"pp", "in-network"},
                                      {"own", "direct"},
                                      {"scatter", "direct"}}) {
    EXPECT_EQ(find(result["operations"], id, "id")["algorithm"], algorithm) << id;
  }
}

// 2 (N - 1) / N D leave and reach every NPU, in packets with headers of 6 bytes, a message each in its own.
TEST(EndpointTraffic, OfARingIsTheClosedForm) {
  for (const std::uint32_t n : {2u, 3u, 5u, 8u, 19u, 20u}) {
    const std::uint64_t message = 4090 * 3 + 100;  // of a shard: four packets
    Replay replay;
    replay.sets = {fmt::format("switch.ports={}", std::max(n, 2u)), "collective.algorithm=ring",
                   "collective.chunks=1"};
    replay.workload =
        workload_of(line("a", "all_reduce", first(n), fmt::format(R"(,"bytes":{})", message * n)), n);
    const nlohmann::json result = simulate(replay);
    ASSERT_TRUE(is_right(result));
    for (const nlohmann::json& npu : result["npus"]) {
      EXPECT_EQ(npu["sent_bytes"], 2 * (n - 1) * (message + 4 * 6));
      EXPECT_EQ(npu["received_bytes"], 2 * (n - 1) * (message + 4 * 6));
    }
  }
}

// 2 (N - 1) steps of a message m over two links and the switch, each behind the last (FRED sec. 2.2).
TEST(EndpointTime, OfARingIsThatOfItsSteps) {
  for (const std::uint32_t n : {2u, 3u, 5u, 8u, 19u, 20u}) {
    for (const std::uint64_t packets : {1u, 40u}) {
      const std::uint64_t message = 4090 * packets;
      Replay replay;
      replay.sets = {fmt::format("switch.ports={}", n), "collective.algorithm=ring", "collective.chunks=1"};
      replay.workload =
          workload_of(line("a", "all_reduce", first(n), fmt::format(R"(,"bytes":{})", message * n)), n);
      const nlohmann::json result = simulate(replay);
      ASSERT_TRUE(is_right(result));
      // Stages of micro-switches from FRED(2) to FRED(20): two for every halving, and one.
      std::uint32_t stages = 1;
      for (std::uint32_t p = n; p > 2; p = (p + 1) / 2) stages += 2;
      const double step = 2 * 3.3 + 0.2 * stages + static_cast<double>(packets) * 4096 / 3000;
      EXPECT_NEAR(result["simulated_ns"], 2 * (n - 1) * step, 0.025 * 2 * (n - 1) * step)
          << n << " " << packets;
    }
  }
}

}  // namespace
}  // namespace fredsim::tb::test
