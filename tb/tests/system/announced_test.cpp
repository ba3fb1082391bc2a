// Where time passes without contention it is announced, not waited for: that saves events and must not show
// in results, wherever a run is stopped.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>

#include "tb/tests/cli/program.h"
#include "tb/tests/system/simulate.h"

namespace fredsim::tb::test {
namespace {

TEST(KernelEvents, OneAPacketAtItsSourceAndOneForAllOutputsOfAFlow) {
  const Outcome outcome = fredsim(
      {"run", single_switch(), "--trace", sample("all_reduce_8npus_64MiB"), "--no-data", "--json", "-"});
  ASSERT_EQ(outcome.exit_code, 0) << outcome.error;
  const auto performance = nlohmann::json::parse(outcome.out)["performance"];
  // Of 16 hops of a packet's sum, 8 start at NPUs, which decide packet by packet, and 8 at one switch: 9/16.
  EXPECT_LT(performance["kernel_events"].get<double>(), 0.6 * performance["packet_hops"].get<double>());
}

// Packet k enters an NPU's link at k packet times; its sum enters the links down when the head has crossed
// the link (3.3 ns) and five micro-switches (0.2 ns each), which is known 1 ns ahead.
TEST(StoppedRun, CountsWhatHasEnteredTheLinksAndNoMore) {
  const double packet = std::ceil(4096.0 / 3000.0 * 1e6) / 1e6;  // ns, in whole femtoseconds
  Replay run;
  run.workload = workload_of(R"({"id":"a","type":"all_reduce","npus":[0,1,2,3,4,5,6,7],"bytes":1000000})");
  run.options.data = false;
  for (const double end : {0.5, 3.8, 4.4999, 4.5001, 5.0, 20.0, 37.26, 37.28, 37.5, 38.0, 38.3, 100.0}) {
    SCOPED_TRACE(end);
    run.options.until = hw::Time::fs(std::llround(end * 1e6));
    const nlohmann::json result = simulate(run);
    EXPECT_EQ(result["status"], "stopped");
    const auto expect = [&](const std::string& name, double first) {
      double packets = 0, busy = 0;
      for (double head = first; head < end; head += packet) {
        ++packets;
        busy += std::min(packet, end - head);
      }
      const nlohmann::json& link = find(result["links"], name);
      EXPECT_EQ(link["packets"], packets) << name;
      EXPECT_EQ(link["bytes"], 4096 * packets) << name;
      EXPECT_NEAR(link["utilization"].get<double>(), busy / end, 1e-6) << name;
    };
    expect("npu3_to_switch", 0);
    expect("switch_to_npu5", 3.3 + 5 * 0.2 + 0.2);
    EXPECT_EQ(result["npus"][3]["sent_bytes"], find(result["links"], "npu3_to_switch")["bytes"]);
    EXPECT_EQ(result["npus"][5]["received_bytes"], find(result["links"], "switch_to_npu5")["bytes"]);
  }
}

}  // namespace
}  // namespace fredsim::tb::test
