#include <gtest/gtest.h>

#include <cstdio>

#include "tb/configuration/configuration.h"
#include "tb/systems/simulation.h"
#include "tb/tests/observe/vcd_reader.h"
#include "traces/chakra/load.h"

namespace fredsim {
namespace {

// Two all-reduces that share a route set; NPU 3 of the first is 15 ns late, while the second streams.
TEST(ControlProbes, ShowTheFlowThatWaitsWhileAnotherStreams) {
  const std::string root = FREDSIM_SOURCE_DIR;
  const auto configuration = tb::load_configuration(root + "/tb/configs/single_switch.yaml");
  tb::SimulationOptions options;
  options.waveform.emplace();
  options.waveform->path = testing::TempDir() + "control_probe_test.vcd";
  options.waveform->globs = {"switch.control.*"};
  tb::Simulation simulation(configuration, trace::load(root + "/docs/examples-data/two_flows.jsonl", 8),
                            options);
  const tb::Result& result = simulation.run();
  ASSERT_EQ(result.status, tb::Status::ok);
  ASSERT_TRUE(result.waveform.written);
  const auto dump = hw::test::read_vcd(options.waveform->path);
  std::remove(options.waveform->path.c_str());

  const auto at = [&dump](const char* signal, double ns) {
    return dump.variables.at(std::string("switch.control.") + signal).at(static_cast<std::int64_t>(ns * 1e6));
  };
  // The others' packets come 3.3 ns after time 0, NPU 3's 3.3 ns after its 15 ns of computing.
  EXPECT_EQ(at("stalled.partner_missing", 3.299), "0");
  EXPECT_EQ(at("stalled.partner_missing", 3.3), "1");
  EXPECT_EQ(at("stalled.partner_missing", 18.299), "1");
  EXPECT_EQ(at("stalled.partner_missing", 18.3), "0");
  EXPECT_EQ(at("traffic_class", 10), "dp");
  EXPECT_EQ(at("streaming", 10), "1");
  EXPECT_EQ(at("streaming", 20), "2");
  // The second flow's last tail left at 25.4 ns, in the middle of a packet of the first.
  EXPECT_EQ(at("streaming", 26), "1");
  EXPECT_EQ(at("traffic_class", 26), "dp");
  EXPECT_EQ(at("streaming", 38), "0");
}

}  // namespace
}  // namespace fredsim
