// Go-Back-N from source to receiver: answers that are lost, stripes, operations that follow each other,
// partners that come late.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "tb/tests/system/lossy_runs.h"
#include "tb/tests/system/simulate.h"
#include "tb/tests/system/trees.h"

namespace fredsim::tb::test {
namespace {

nlohmann::json run(const std::string& script, const std::string& lines, const std::string& configuration = "",
                   const std::vector<std::string>& more = {}) {
  Replay replay;
  replay.configuration = configuration;
  replay.workload = workload_of(lines, configuration.empty() ? 8 : 20);
  replay.sets = {"reliability=flow", "faults.script=" + script};
  replay.sets.insert(replay.sets.end(), more.begin(), more.end());
  const nlohmann::json result = simulate(replay);
  EXPECT_TRUE(is_right(result)) << script << result["status"] << result["waiting"].dump(1);
  expect_counters(result);
  return result;
}

// 27 packets from every member: ACKs of 16 and of all.
constexpr const char* all_reduce_of_four =
    R"({"id":"a","type":"all_reduce","npus":[0,1,2,3],"bytes":108000})";

TEST(FlowReliability, SendsNothingAgainWithoutFaults) {
  const nlohmann::json result = run("[]", all_reduce_of_four);
  EXPECT_EQ(result["packets"]["resent"], 0);
  EXPECT_EQ(result["packets"]["nacks"], 0);
  EXPECT_EQ(result["packets"]["acks"], 4 * 2);
}

TEST(FlowReliability, IsOffByItself) {
  Replay replay;
  replay.workload = workload_of(all_reduce_of_four);
  const nlohmann::json result = simulate(replay);
  EXPECT_EQ(result["packets"]["acks"], 0);
  EXPECT_EQ(find(result["links"], "npu0_to_switch")["control_packets"], 0);
}

// FRED sec. 6.2.3: under 1 % of the bandwidth. 512 B for every 16 packets of 4096 B, and for the last.
TEST(FlowReliability, AcknowledgesInUnderAHundredthOfTheBandwidth) {
  std::string all;
  for (int n = 0; n < 20; ++n) all += fmt::format("{}{}", n == 0 ? "" : ",", n);
  const nlohmann::json result = run(
      "[]", fmt::format(R"({{"id":"a","type":"all_reduce","npus":[{}],"bytes":8388608}})", all), fred_d());
  int links = 0;
  for (const auto& link : result["links"]) {
    if (link["bytes"] == 0) continue;
    ++links;
    EXPECT_LT(link["control_bytes"].get<double>(), 0.01 * link["bytes"].get<double>()) << link.dump();
    EXPECT_GT(link["control_bytes"], 0);
  }
  EXPECT_EQ(links, 2 * (20 + 5 * 4));
}

TEST(FlowReliability, NeedsNothingForAnAckLostBeforeAnother) {
  EXPECT_EQ(run("[{link: npu2_to_switch, acks: [0]}]", all_reduce_of_four)["packets"]["resent"], 0);
  EXPECT_EQ(run("[{link: switch_to_npu1, acks: [0]}]", all_reduce_of_four)["packets"]["resent"], 0);
}

// The source asks, and the switch, which has it, repeats it.
TEST(FlowReliability, RepeatsTheLastAckToASourceThatMissedIt) {
  const nlohmann::json result = run("[{link: switch_to_npu1, acks: [1]}]", all_reduce_of_four);
  EXPECT_EQ(result["packets"]["resent"], 0);
  EXPECT_GT(result["simulated_ns"], 10000);
}

// Nobody but the receiver knows that all have arrived: all sources send what is not acknowledged again.
TEST(FlowReliability, MakesUpForTheLastAckOfAReceiver) {
  const nlohmann::json result = run("[{link: npu2_to_switch, acks: [1]}]", all_reduce_of_four);
  EXPECT_EQ(result["packets"]["resent"], 4 * (27 - 16));
}

TEST(FlowReliability, MakesUpForOrdersThatAreLostOnTheWayToSomeSources) {
  run("[{link: npu0_to_switch, packets: [7]}, {link: switch_to_npu1, nacks: 0-3}]", all_reduce_of_four);
  run("[{link: npu0_to_switch, packets: [7]}, {link: switch_to_npu0, nacks: 0-3}]", all_reduce_of_four);
  run("[{link: npu0_to_switch, packets: [7]}, {link: switch_to_npu0, nacks: 0-9}, {link: switch_to_npu1, "
      "nacks: "
      "0-2}, {link: switch_to_npu3, nacks: 0-1}]",
      all_reduce_of_four);
}

TEST(FlowReliability, MakesUpForAllAnswersOfALinkForAWhile) {
  run("[{link: npu3_to_switch, packets: [2, 30, 31]}, {link: npu1_to_switch, acks: 0-5}, {link: "
      "switch_to_npu2, "
      "acks: 0-3}]",
      all_reduce_of_four);
}

// Losses on every level of a striped flow, up and down.
TEST(FlowReliability, OfStripesGoesBackWithAllOfThem) {
  const std::string lines = R"({"id":"a","type":"all_reduce","npus":[0,1,4,5,9,13],"bytes":200000})";
  for (const char* link : {"npu0_to_l1_0", "l1_0_to_l2_0", "l1_1_to_l2_2", "l2_1_to_l1_3", "l1_2_to_npu9"}) {
    for (const char* packets : {"[0]", "[1]", "[5]", "[3, 4, 9]", "0-6"}) {
      run(fmt::format("[{{link: {}, packets: {}}}]", link, packets), lines, fred_d());
    }
    run(fmt::format("[{{link: {}, down: [30 ns, 200 ns]}}]", link), lines, fred_d());
    run(fmt::format("[{{link: {}, last_of: a}}]", link), lines, fred_d());
  }
}

// A packet of `a` sent again must not come behind those of `b` where they join.
TEST(FlowReliability, KeepsOperationsApart) {
  const std::string lines = R"({"id":"a","type":"all_reduce","npus":[0,4,5],"bytes":60000}
                               {"id":"b","type":"all_reduce","npus":[0,1,4,8],"bytes":60000}
                               {"id":"c","type":"all_reduce","npus":[0,4],"bytes":60000}
                               {"id":"d","type":"broadcast","npus":[4,0,9],"root":4,"bytes":60000}
                               {"id":"e","type":"all_reduce","npus":[0,4,9],"bytes":60000})";
  for (const char* op : {"a", "b", "c", "d", "e"}) {
    for (const char* link : {"npu0_to_l1_0", "npu4_to_l1_1", "l1_0_to_npu0", "l1_1_to_npu4"}) {
      run(fmt::format("[{{link: {}, last_of: {}}}]", link, op), lines, fred_d());
    }
  }
  for (int first = 0; first < 60; first += 7) {
    run(fmt::format("[{{link: npu0_to_l1_0, packets: [{}]}}, {{link: l1_1_to_l2_0, packets: [{}]}}, {{link: "
                    "l1_0_to_npu0, acks: [{}]}}]",
                    first, first / 3, first / 7),
        lines, fred_d());
  }
}

// Waiting for a partner is no loss, however long it takes.
TEST(FlowReliability, WaitsForALatePartner) {
  const nlohmann::json result = run("[]", R"({"id":"late","type":"compute","npus":[3],"ns":500000000}
      {"id":"a","type":"all_reduce","npus":[0,1,2,3],"bytes":108000,"after":["late"]})");
  EXPECT_GT(result["operations"][1]["end_ns"], 500000000.0);
  // And a loss after that is made good by those who came late.
  run("[{link: switch_to_npu1, packets: [3]}, {link: switch_to_npu2, last_of: a}]",
      R"({"id":"late","type":"compute","npus":[3],"ns":500000000}
      {"id":"a","type":"all_reduce","npus":[0,1,2,3],"bytes":108000,"after":["late"]})");
}

TEST(FlowReliability, EndsWhenALinkDamagesEverything) {
  Replay replay;
  replay.workload = workload_of(all_reduce_of_four);
  replay.sets = {"reliability=flow", "faults.script=[{link: npu0_to_switch, packets: 5-1000000}]"};
  const nlohmann::json result = simulate(replay);
  EXPECT_EQ(result["status"], "unfinished");
  expect_reason(result, "a", 0, "given up");
}

TEST(FlowReliability, GivesTheSameInBothAbstractions) {
  const std::string lines = R"({"id":"a","type":"all_reduce","npus":[0,1,4,5,9,13],"bytes":100000})";
  nlohmann::json whole = run("[{link: npu0_to_l1_0, packets: [3]}]", lines, fred_d());
  nlohmann::json modules =
      run("[{link: npu0_to_l1_0, packets: [3]}]", lines, fred_d(), {"switch.abstraction=microswitch"});
  EXPECT_EQ(without_abstraction(whole), without_abstraction(modules));
}

// Receivers that miss different packets at a time send sources back to different ones. If these did not
// agree, planes could wait for each other: each holds what one side has sent, and the other side has begun
// later.
TEST(FlowReliability, MakesSourcesAgreeOnWhereTheyGoBackTo) {
  std::string all;
  for (int n = 0; n < 20; ++n) all += fmt::format("{}{}", n == 0 ? "" : ",", n);
  const nlohmann::json result =
      run("[]", fmt::format(R"({{"id":"a","type":"all_reduce","npus":[{}],"bytes":2097152}})", all), fred_d(),
          {"faults.bit_error_rate=3.067e-7", "seed=1"});
  EXPECT_LT(result["simulated_ns"], 1e6);
}

TEST(FlowReliability, RefusesEndpointCollectivesByName) {
  try {
    run("[]", all_reduce_of_four, "", {"collective.dp=ring"});
    ADD_FAILURE() << "was not refused";
  } catch (const std::exception& error) {
    const std::string text = error.what();
    for (const char* part : {"\"a\"", "\"ring\"", "reliability: flow", "reliability: link"})
      EXPECT_NE(text.find(part), std::string::npos) << text;
  }
}

TEST(RandomLoss, IsMadeGoodBySources) {
  Coverage coverage = LossyJobs::coverage();
  run_lossy_jobs(test_seed(1), 10, "flow", coverage);
}

}  // namespace
}  // namespace fredsim::tb::test
