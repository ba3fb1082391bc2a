// Runs that do not finish: exit 3, and `waiting` tells which operation waits for what at which NPU.
#include <gtest/gtest.h>

#include <cmath>

#include "tb/tests/cli/program.h"
#include "tb/tests/system/faulty_npu.h"
#include "tb/tests/system/simulate.h"

namespace fredsim::tb::test {
namespace {

constexpr const char* all_reduce_of_four =
    R"({"id":"a","type":"all_reduce","npus":[0,1,2,3],"bytes":100000})";

nlohmann::json simulate_unfinished(const std::string& lines, const Factories& factories,
                                   bool monitors = true) {
  Replay replay;
  replay.workload = workload_of(lines);
  replay.factories = factories;
  replay.options.monitors = monitors;
  const nlohmann::json result = simulate(replay);
  EXPECT_EQ(result["status"], "unfinished");
  EXPECT_EQ(result["wrong_elements"], 0);
  return result;
}

TEST(Waiting, IsForDataOfAnNpuThatNeverSends) {
  const nlohmann::json result = simulate_unfinished(all_reduce_of_four, with_silent(2));
  for (const std::uint32_t npu : {0u, 1u, 3u}) expect_reason(result, "a", npu, "data from NPU 2");
  expect_reason(result, "a", 2, "an engineer to write it");
  EXPECT_EQ(result["waiting"].size(), 4u);
  EXPECT_TRUE(result["operations"][0]["end_ns"].is_null());
}

TEST(Waiting, IsForDataThatIsLostInASwitchOfOneOperationOnly) {
  const nlohmann::json result = simulate_unfinished(std::string(all_reduce_of_four) + R"(
      {"id":"b","type":"all_reduce","npus":[4,5],"bytes":100000})",
                                                    with_silent(2));
  EXPECT_TRUE(result["operations"][0]["end_ns"].is_null());
  EXPECT_GT(result["operations"][1]["end_ns"], 0);
  for (const auto& waiting : result["waiting"]) EXPECT_EQ(waiting["operation"], "a");
}

TEST(Waiting, IsForCreditOfAnNpuThatNeverGivesItBack) {
  const nlohmann::json result = simulate_unfinished(
      all_reduce_of_four, with_filter(3, all_pass, [](const hw::PacketHeader&) { return false; }));
  for (std::uint32_t npu = 0; npu < 4; ++npu) expect_reason(result, "a", npu, "credit");
  // The link to the NPU at fault is the one that carried no more than its buffer holds.
  EXPECT_EQ(find(result["links"], "switch_to_npu3")["packets"], 6);
}

TEST(Waiting, IsForAPacketThatWasDropped) {
  // The last one: 100000 bytes are 25 packets.
  const auto all_but_last = [](const hw::PacketHeader& header) { return header.sequence != 24; };
  const nlohmann::json result =
      simulate_unfinished(all_reduce_of_four, with_filter(1, all_but_last, all_pass), false);
  for (const std::uint32_t npu : {0u, 2u, 3u}) expect_reason(result, "a", npu, "data from NPU 1");
  expect_reason(result, "a", 1, "sent and have not arrived");
  EXPECT_EQ(find(result["links"], "npu1_to_switch")["packets"], 24);
  EXPECT_EQ(find(result["links"], "npu0_to_switch")["packets"], 25);
}

TEST(Waiting, IsForTheMemberThatABarrierLacks) {
  const nlohmann::json result =
      simulate_unfinished(R"({"id":"b","type":"barrier","npus":[0,1,5]})", with_silent(5));
  for (const std::uint32_t npu : {0u, 1u}) expect_reason(result, "b", npu, "NPU 5");
  EXPECT_EQ(find(result["links"], "switch_to_npu0")["control_packets"], 0);
}

TEST(Waiting, IsForAPredecessorThatNeverEnds) {
  const nlohmann::json result = simulate_unfinished(
      R"({"id":"a","type":"all_reduce","npus":[0,1],"bytes":64}
         {"id":"b","type":"compute","npus":[0],"ns":5,"after":["a"]}
         {"id":"c","type":"all_reduce","npus":[0,2],"bytes":64,"class":"mp","after":["b"]}
         {"id":"d","type":"all_reduce","npus":[3,4],"bytes":64,"class":"pp","after_all":["a"]}
         {"id":"e","type":"compute","npus":[6],"ns":5,"after_all":["c","a"]})",
      with_silent(1));
  expect_reason(result, "a", 0, "data from NPU 1");
  expect_reason(result, "b", 0, "operation a to end here");
  expect_reason(result, "c", 0, "operation b to end here");
  expect_reason(result, "c", 2, "data from NPU 0");
  for (const std::uint32_t npu : {3u, 4u}) expect_reason(result, "d", npu, "operation a to end everywhere");
  expect_reason(result, "e", 6, "to end everywhere");
  EXPECT_TRUE(find(result["operations"], "e", "id")["start_ns"].is_null());
}

TEST(Waiting, IsForATurnThatNeverComes) {
  const nlohmann::json result = simulate_unfinished(
      R"({"id":"a","type":"all_reduce","npus":[0,1],"bytes":100000}
         {"id":"b","type":"all_reduce","npus":[0,2],"bytes":64}
         {"id":"c","type":"all_reduce","npus":[0,3],"bytes":64,"class":"mp"})",
      with_silent(1));
  expect_reason(result, "a", 0, "data from NPU 1");
  expect_reason(result, "b", 0, "its turn behind operation a");
  expect_reason(result, "b", 2, "data from NPU 0");
  EXPECT_EQ(reason(result, "c", 0), "");  // another class has turns of its own
  EXPECT_GT(find(result["operations"], "c", "id")["end_ns"], 0);
}

TEST(Waiting, IsForASendThatIsNeverMade) {
  const nlohmann::json result = simulate_unfinished(
      R"({"id":"s","type":"send","npus":[4],"bytes":5000,"to":7}
         {"id":"r","type":"recv","npus":[7],"bytes":5000,"from":4})",
      with_silent(4));
  expect_reason(result, "r", 7, "data from NPU 4");
}

// A packet that is lost in the middle leaves a gap, which no receiver takes for the next packet's data.
TEST(ADroppedPacket, IsNeverSummedOver) {
  Replay replay;
  replay.workload = workload_of(all_reduce_of_four);
  replay.factories = with_filter(
      1, [](const hw::PacketHeader& header) { return header.sequence != 7; }, all_pass);
  replay.options.monitors = false;
  try {
    const nlohmann::json result = simulate(replay);
    EXPECT_NE(result["status"], "ok") << result["waiting"].dump(1);
  } catch (const std::runtime_error& error) {
    EXPECT_NE(std::string(error.what()).find("packet"), std::string::npos) << error.what();
  }
}

TEST(WrongData, BeatsUnfinished) {
  Replay replay;
  replay.workload = workload_of(std::string(all_reduce_of_four) + R"(
      {"id":"b","type":"broadcast","npus":[5,6],"bytes":100,"root":5})");
  replay.factories = with_silent(2);
  const auto ours = replay.factories.npu;
  // NPU 5 sends other data than it should: the plan's programs are const, so it gets a copy.
  auto program = std::make_shared<accel::Program>();
  replay.factories.npu = [=](sc_core::sc_module_name name, const accel::NpuConfig& config,
                             const accel::Program& planned, const accel::NpuServices& services) {
    if (config.id.value != 5) return ours(name, config, planned, services);
    *program = planned;
    program->parts.at(0).sends.at(0).first_byte += 1;
    return ours(name, config, *program, services);
  };
  const nlohmann::json result = simulate(replay);
  EXPECT_EQ(result["status"], "wrong_data");
  EXPECT_GT(result["wrong_elements"], 90);
}

class Until : public testing::Test {
 protected:
  Outcome run(const std::string& until) {
    return fredsim({"run", single_switch(), "--trace", sample("three_classes_8npus"), "--json", "-",
                    "--until", until, "--monitors"});
  }
};

TEST_F(Until, StopsTheRun) {
  const Outcome outcome = run("100 ns");
  EXPECT_EQ(outcome.exit_code, 0);
  const auto result = nlohmann::json::parse(outcome.out);
  EXPECT_EQ(result["status"], "stopped");
  EXPECT_EQ(result["simulated_ns"], 100.0);
  EXPECT_TRUE(result["waiting"].empty());
}

TEST_F(Until, TheBeginningIsARunOfNothing) {
  const Outcome outcome = run("0 ns");
  EXPECT_EQ(outcome.exit_code, 0);
  const auto result = nlohmann::json::parse(outcome.out);
  EXPECT_EQ(result["status"], "stopped");
  EXPECT_EQ(result["simulated_ns"], 0.0);
}

TEST_F(Until, BeyondTheEndChangesNothing) {
  const auto stopped = nlohmann::json::parse(run("1 ms").out);
  EXPECT_EQ(stopped["status"], "ok");
  auto whole = nlohmann::json::parse(
      fredsim({"run", single_switch(), "--trace", sample("three_classes_8npus"), "--json", "-"}).out);
  EXPECT_EQ(whole["simulated_ns"], stopped["simulated_ns"]);
  // What happens at the limit has not happened, what happens before it has.
  const std::int64_t end_fs = std::llround(whole["simulated_ns"].get<double>() * 1e6);
  EXPECT_EQ(nlohmann::json::parse(run(std::to_string(end_fs) + " fs").out)["status"], "stopped");
  EXPECT_EQ(nlohmann::json::parse(run(std::to_string(end_fs + 1) + " fs").out)["status"], "ok");
}

}  // namespace
}  // namespace fredsim::tb::test
