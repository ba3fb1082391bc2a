// Each scripted fault, with each way to make it good.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "tb/tests/system/lossy_runs.h"
#include "tb/tests/system/simulate.h"
#include "tb/tests/system/trees.h"

namespace fredsim::tb::test {
namespace {

// 27 packets from every member.
constexpr const char* short_all_reduce = R"({"id":"a","type":"all_reduce","npus":[0,1,2,3],"bytes":108000})";

class ScriptedFault : public testing::TestWithParam<std::string> {
 protected:
  nlohmann::json run(const std::string& script, const std::string& lines = short_all_reduce) {
    Replay replay;
    replay.workload = workload_of(lines);
    replay.sets = {"reliability=" + GetParam(), "faults.script=" + script};
    const nlohmann::json result = simulate(replay);
    expect_counters(result);
    return result;
  }
  nlohmann::json expect_healed(const std::string& script, const std::string& lines = short_all_reduce) {
    const nlohmann::json result = run(script, lines);
    EXPECT_TRUE(is_right(result)) << result["status"] << result["waiting"].dump(1);
    EXPECT_GT(result["packets"]["resent"], 0);
    return result;
  }
};

TEST_P(ScriptedFault, TwoPackets) {
  const nlohmann::json result = expect_healed("[{link: npu0_to_switch, packets: [7, 12]}]");
  EXPECT_EQ(find(result["links"], "npu0_to_switch")["damaged"], 2);
  EXPECT_EQ(result["packets"]["damaged"], 2);
  EXPECT_EQ(result["packets"]["dropped"], 0);
  EXPECT_GE(result["packets"]["nacks"], 1);
}

TEST_P(ScriptedFault, PacketsOfTwoLinksAtOnce) {
  expect_healed("[{link: npu0_to_switch, packets: [3]}, {link: switch_to_npu2, packets: [3, 4]}]");
}

TEST_P(ScriptedFault, TheLastPacketOfAFlow) {
  for (const char* link : {"npu3_to_switch", "switch_to_npu1"}) {
    const nlohmann::json result = expect_healed(fmt::format("[{{link: {}, last_of: a}}]", link));
    EXPECT_EQ(result["packets"]["damaged"], 1);
  }
}

TEST_P(ScriptedFault, TheOnlyPacketOfAFlow) {
  expect_healed("[{link: npu0_to_switch, last_of: s/0}]", R"(
      {"id":"s","type":"send","npus":[0],"to":5,"bytes":1}
      {"id":"r","type":"recv","npus":[5],"from":0,"bytes":1})");
}

TEST_P(ScriptedFault, ABurst) {
  const nlohmann::json result = expect_healed("[{link: switch_to_npu2, packets: 2-40}]");
  EXPECT_GE(result["packets"]["damaged"], 20);
}

TEST_P(ScriptedFault, ALinkDownForAWhile) {
  const nlohmann::json result = expect_healed("[{link: npu1_to_switch, down: [10 ns, 40 ns]}]");
  EXPECT_GT(find(result["links"], "npu1_to_switch")["dropped"], 0);
  EXPECT_EQ(result["packets"]["damaged"], 0);
  expect_healed("[{link: switch_to_npu1, down: [10 ns, 2 us]}]");
}

TEST_P(ScriptedFault, ALinkDownForGood) {
  const nlohmann::json result = run("[{link: switch_to_npu2, down: [10 ns]}]");
  EXPECT_EQ(result["status"], "unfinished");
  EXPECT_EQ(result["wrong_elements"], 0);
  expect_reason(result, "a", 2, "given up");
}

TEST_P(ScriptedFault, AnNpuThatDies) {
  const nlohmann::json result = run("[{npu: 3, dies: 20 ns}]");
  EXPECT_EQ(result["status"], "unfinished");
  EXPECT_EQ(result["wrong_elements"], 0);
  expect_reason(result, "a", 0, "NPU 3");
  expect_reason(result, "a", 3, "died at 20 ns; it holds up a/0");
}

TEST_P(ScriptedFault, AnNpuThatStallsForGood) {
  const nlohmann::json result = run("[{npu: 3, stalls: [20 ns]}]");
  EXPECT_EQ(result["status"], "unfinished");
  EXPECT_EQ(result["wrong_elements"], 0);
  expect_reason(result, "a", 0, "NPU 3");
  expect_reason(result, "a", 3, "stalled for good at 20 ns; it holds up a/0");
}

TEST_P(ScriptedFault, AnAckAndANack) {
  for (const char* faults : {"acks: [0]", "acks: [1]", "acks: 0-1"}) {
    const nlohmann::json result =
        run(fmt::format("[{{link: switch_to_npu1, {0}}}, {{link: npu2_to_switch, {0}}}]", faults));
    EXPECT_TRUE(is_right(result)) << faults << result["waiting"].dump(1);
  }
  for (const char* link : {"switch_to_npu0", "switch_to_npu1", "npu2_to_switch"}) {
    expect_healed(
        fmt::format("[{{link: npu0_to_switch, packets: [7]}}, {{link: switch_to_npu2, packets: [9]}}, "
                    "{{link: {}, nacks: [0]}}]",
                    link));
  }
}

TEST_P(ScriptedFault, AnNpuThatStalls) {
  const double before = run("[{link: npu7_to_switch, packets: [0]}]")["operations"][0]["end_ns"];
  const nlohmann::json result = run("[{npu: 3, stalls: [20 ns, 120 ns]}]");
  EXPECT_TRUE(is_right(result)) << result["waiting"].dump(1);
  EXPECT_GT(result["operations"][0]["end_ns"].get<double>(), before + 90);
}

TEST_P(ScriptedFault, OfABarrier) {
  for (const char* link : {"npu0_to_switch", "switch_to_npu3"}) {
    const nlohmann::json result = expect_healed(fmt::format("[{{link: {}, last_of: b}}]", link),
                                                R"({"id":"b","type":"barrier","npus":[0,3,5]})");
    EXPECT_EQ(result["packets"]["damaged"], 1);
  }
}

TEST_P(ScriptedFault, GivesTheSameResultTwice) {
  const char* script =
      "[{link: npu0_to_switch, packets: [7, 12]}, {link: switch_to_npu2, down: [20 ns, 1 us]}]";
  EXPECT_EQ(run(script), run(script));
}

INSTANTIATE_TEST_SUITE_P(Reliability, ScriptedFault, testing::Values("flow", "link"),
                         [](const auto& values) { return values.param; });

nlohmann::json on_link(const std::vector<std::string>& sets, const std::string& lines = short_all_reduce,
                       const std::string& configuration = "") {
  Replay replay;
  replay.configuration = configuration;
  replay.workload = workload_of(lines);
  replay.sets = sets;
  if (!sets.empty()) replay.sets.emplace_back("reliability=link");
  const nlohmann::json result = simulate(replay);
  EXPECT_TRUE(is_right(result)) << result["waiting"].dump(1);
  expect_counters(result);
  return result;
}

constexpr const char* one_packet = R"({"id":"s","type":"send","npus":[0],"to":5,"bytes":4090}
                                      {"id":"r","type":"recv","npus":[5],"from":0,"bytes":4090})";
constexpr double latency_ns = 3.3, packet_ns = 4096 / 3000.0;

double end_of_one_packet(const std::vector<std::string>& sets) {
  return on_link(sets, one_packet)["operations"][1]["end_ns"];
}

// The tail, the NACK's way back, and the head again.
TEST(LinkRetry, OfOnePacketTakesItsTailAndARoundTrip) {
  const double clean = end_of_one_packet({"seed=1"});
  EXPECT_NEAR(end_of_one_packet({"faults.script=[{link: npu0_to_switch, packets: [0]}]"}) - clean,
              packet_ns + 2 * latency_ns, 1e-5);
  EXPECT_NEAR(end_of_one_packet({"faults.script=[{link: npu0_to_switch, packets: 0-2}]"}) - clean,
              3 * (packet_ns + 2 * latency_ns), 1e-5);
}

// Twice the time to an answer, from the tail on.
TEST(LinkRetry, AfterALostNackTakesTheTimeout) {
  const double clean = end_of_one_packet({"seed=1"});
  EXPECT_NEAR(end_of_one_packet({"faults.script=[{link: npu0_to_switch, packets: [0]}, {link: "
                                 "switch_to_npu0, nacks: [0]}]"}) -
                  clean,
              packet_ns + 2 * (packet_ns + 2 * latency_ns), 1e-5);
}

TEST(LinkRetry, AfterTheLastAckWasLostSendsAPacketThatIsNotTakenTwice) {
  const nlohmann::json result = on_link({"faults.script=[{link: switch_to_npu0, acks: [26]}]"});
  EXPECT_EQ(result["packets"]["resent"], 1);
  EXPECT_EQ(find(result["links"], "npu0_to_switch")["packets"], 28);
  EXPECT_EQ(result["packets"]["damaged"], 0);
}

// The ninth comes before the sender would ask, twice a round trip after the first tail, 12 packets later.
TEST(LinkRetry, NeedsNothingForAnAckLostBeforeAnother) {
  const nlohmann::json result = on_link({"faults.script=[{link: switch_to_npu0, acks: 0-7}]"});
  EXPECT_EQ(result["packets"]["resent"], 0);
}

TEST(LinkRetry, WorksForMeshesAndEndpointCollectives) {
  const nlohmann::json mesh = on_link({"faults.bit_error_rate=1e-7"},
                                      R"({"id":"a","type":"all_reduce","npus":[0,1,2,5,7],"bytes":1000000}
                                         {"id":"b","type":"barrier","npus":[0,4,7]})",
                                      "system: mesh\nmesh:\n  columns: 3\n  rows: 3\n");
  EXPECT_GT(mesh["packets"]["damaged"], 0);
  const nlohmann::json ring = on_link({"faults.bit_error_rate=1e-7", "collective.algorithm=ring"},
                                      R"({"id":"a","type":"all_reduce","npus":[0,1,2,5,7],"bytes":1000000})");
  EXPECT_GT(ring["packets"]["damaged"], 0);
  EXPECT_EQ(ring["operations"][0]["algorithm"], "ring");
}

TEST(LinkRetry, WithoutFaultsTakesNoTime) {
  nlohmann::json without = on_link({});
  nlohmann::json with = on_link({"seed=1"});
  EXPECT_GT(with["packets"]["acks"], 0);
  for (nlohmann::json* result : {&without, &with}) {
    result->erase("config");
    result->erase("packets");
  }
  EXPECT_EQ(without, with);
}

// What one link loses does not depend on the others.
TEST(BitErrors, AreDrawnForEachLinkByItself) {
  const auto damaged = [](const nlohmann::json& result, const char* link) {
    return find(result["links"], link)["damaged"];
  };
  const std::string lines = R"({"id":"s","type":"send","npus":[0],"to":5,"bytes":1000000}
                               {"id":"r","type":"recv","npus":[5],"from":0,"bytes":1000000})";
  const nlohmann::json alone = on_link({"faults.bit_error_rate=1e-6"}, lines);
  const nlohmann::json both = on_link({"faults.bit_error_rate=1e-6"}, lines + R"(
      {"id":"s2","type":"send","npus":[1],"to":6,"bytes":1000000}
      {"id":"r2","type":"recv","npus":[6],"from":1,"bytes":1000000})");
  EXPECT_GT(damaged(alone, "npu0_to_switch"), 0);
  EXPECT_EQ(damaged(alone, "npu0_to_switch"), damaged(both, "npu0_to_switch"));
  EXPECT_EQ(damaged(alone, "switch_to_npu5"), damaged(both, "switch_to_npu5"));
  EXPECT_NE(alone, on_link({"faults.bit_error_rate=1e-6", "seed=2"}, lines));
}

// 1 - (1 - 1e-6)^32768 = 3.22 % of full packets; 5000 of them, so four standard deviations are 1 %.
TEST(BitErrors, AreAsFrequentAsConfigured) {
  const nlohmann::json result = on_link({"faults.bit_error_rate=1e-6"},
                                        R"({"id":"s","type":"send","npus":[0],"to":5,"bytes":20450000}
                                           {"id":"r","type":"recv","npus":[5],"from":0,"bytes":20450000})");
  const nlohmann::json link = find(result["links"], "npu0_to_switch");
  EXPECT_NEAR(link["damaged"].get<double>() / link["sent"].get<double>(), 0.0322, 0.01);
}

TEST(RandomLoss, OnLinksIsMadeGoodByThem) {
  Coverage coverage = LossyJobs::coverage();
  run_lossy_jobs(test_seed(1), 10, "link", coverage);
}

}  // namespace
}  // namespace fredsim::tb::test
