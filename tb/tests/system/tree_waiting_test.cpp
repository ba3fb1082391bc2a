// Runs on trees that do not finish name the NPUs at fault, whatever lies between; and barriers.
#include <gtest/gtest.h>

#include "tb/tests/system/closed_form.h"
#include "tb/tests/system/faulty_npu.h"
#include "tb/tests/system/simulate.h"
#include "tb/tests/system/trees.h"
#include "tb/tests/system/wafer_times.h"

namespace fredsim::tb::test {
namespace {

nlohmann::json simulate_unfinished(const sw::TreeShape& shape, const std::string& lines,
                                   const Factories& factories, bool monitors = true) {
  Replay replay;
  replay.configuration = configuration_text(shape);
  replay.workload = workload_of(lines, static_cast<std::uint32_t>(shape.npus()));
  replay.factories = factories;
  replay.options.monitors = monitors;
  const nlohmann::json result = simulate(replay);
  EXPECT_EQ(result["status"], "unfinished");
  EXPECT_EQ(result["wrong_elements"], 0);
  return result;
}

/// The NPUs that the reason names: all numbers behind "from NPU".
std::string named(const std::string& reason) {
  const std::size_t at = reason.find("data from NPU");
  return at == std::string::npos ? "nobody in '" + reason + "'" : reason.substr(at + 10);
}

TEST(WaitingOnTrees, NamesTheOneThatDoesNotSend) {
  for (const sw::TreeShape& shape : {wafer(), three_levels()}) {
    SCOPED_TRACE(shape.levels());
    std::vector<std::uint32_t> all;
    for (std::uint32_t n = 0; n < shape.npus(); ++n) all.push_back(n);
    for (const char* bytes : {R"(,"bytes":100)", R"(,"bytes":200000)"}) {
      SCOPED_TRACE(bytes);
      const nlohmann::json result =
          simulate_unfinished(shape, line("a", "all_reduce", all, bytes), with_silent(13));
      EXPECT_EQ(result["waiting"].size(), all.size());
      for (const std::uint32_t n : all) {
        if (n == 13) continue;
        EXPECT_EQ(named(reason(result, "a", n)), "NPU 13") << n;
      }
    }
  }
}

TEST(WaitingOnTrees, IsForTheOneOfItsOwnOperation) {
  const nlohmann::json result =
      simulate_unfinished(wafer(),
                          line("a", "reduce", {17, 2, 9}, R"(,"bytes":70000,"root":2)") +
                              line("b", "broadcast", {3, 10, 18}, R"(,"bytes":70000,"root":3)") +
                              line("c", "all_gather", {9, 5, 14}, R"(,"bytes":5000,"class":"pp")"),
                          with_silent(9));
  EXPECT_EQ(named(reason(result, "a", 2)), "NPU 9");
  for (const std::uint32_t n : {5u, 14u}) EXPECT_EQ(named(reason(result, "c", n)), "NPU 9");
  for (const auto& waiting : result["waiting"]) EXPECT_NE(waiting["operation"], "b");
}

// What its partners sent waits in switches of three levels.
TEST(WaitingOnTrees, IsForAPacketThatWasDroppedAtALeaf) {
  // Of 25 packets on four planes the last is the sixth of the first plane's.
  const auto all_but_last = [](const hw::PacketHeader& header) { return header.sequence != 6; };
  const nlohmann::json result =
      simulate_unfinished(wafer(), line("a", "all_reduce", {1, 6, 7, 19}, R"(,"bytes":100000)"),
                          with_filter(7, all_but_last, all_pass), false);
  for (const std::uint32_t n : {1u, 6u, 19u}) EXPECT_EQ(named(reason(result, "a", n)), "NPU 7");
  expect_reason(result, "a", 7, "sent and have not arrived");
  EXPECT_EQ(find(result["links"], "npu7_to_l1_1")["packets"], 24);
}

TEST(WaitingOnTrees, IsForCreditOfAnNpuThatNeverGivesItBack) {
  const nlohmann::json result = simulate_unfinished(
      wafer(), wafer_wide(400000), with_filter(3, all_pass, [](const hw::PacketHeader&) { return false; }));
  for (std::uint32_t n = 0; n < 20; ++n) expect_reason(result, "a", n, "credit");
  EXPECT_EQ(find(result["links"], "l1_0_to_npu3")["packets"], 6);
}

TEST(WaitingOnTrees, IsForTheMemberThatABarrierLacks) {
  for (const sw::TreeShape& shape : {wafer(), three_levels()}) {
    SCOPED_TRACE(shape.levels());
    const nlohmann::json result =
        simulate_unfinished(shape, line("b", "barrier", {0, 1, 5, 19}), with_silent(19));
    for (const std::uint32_t n : {0u, 1u, 5u}) EXPECT_EQ(named(reason(result, "b", n)), "NPU 19");
    EXPECT_EQ(find(result["links"], "l1_0_to_npu0")["control_packets"], 0);
    // One for both members of the first leaf.
    EXPECT_EQ(find(result["links"], "npu1_to_l1_0")["control_packets"], 1);
  }
}

// All leave it after the last has come, by the time of a packet's way up and down.
TEST(BarriersOnTrees, HoldAllUntilTheLastHasCome) {
  for (const sw::TreeShape& shape : {wafer(), three_levels()}) {
    SCOPED_TRACE(shape.levels());
    std::string lines;
    std::vector<std::uint32_t> all;
    std::string after = R"(,"after":[)";
    for (std::uint32_t n = 0; n < shape.npus(); ++n) {
      lines += line("c" + std::to_string(n), "compute", {n}, R"(,"ns":)" + std::to_string(10 * (n * 7 % 20)));
      after += (n == 0 ? "\"c" : ",\"c") + std::to_string(n) + "\"";
      all.push_back(n);
    }
    lines += line("b", "barrier", all, after + "]");
    Replay replay;
    replay.configuration = configuration_text(shape);
    replay.workload = workload_of(lines, static_cast<std::uint32_t>(shape.npus()));
    const nlohmann::json result = simulate(replay);
    EXPECT_TRUE(is_right(result)) << result["waiting"].dump(1);
    const double end = find(result["operations"], "b", "id")["end_ns"], links = 2 * shape.levels() * 3.3;
    EXPECT_GE(end, 190 + links);
    EXPECT_LE(end, 190 + links + 15);
    expect_traffic(replay.workload, result, shape);
  }
}

}  // namespace
}  // namespace fredsim::tb::test
