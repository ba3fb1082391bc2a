// What a waveform shows of stalls takes as long as the results say.
#include <gtest/gtest.h>

#include <cstdio>

#include "tb/configuration/configuration.h"
#include "tb/systems/simulation.h"
#include "tb/tests/observe/vcd_reader.h"
#include "traces/chakra/load.h"

namespace fredsim {
namespace {

using hw::test::VcdDump;
using hw::test::VcdVariable;

/// Integral of a level, or of how long a state has the name `state`, in ns.
double integral(const VcdVariable& variable, std::int64_t end_fs, const std::string& state = "") {
  double sum = 0;
  std::int64_t since = 0;
  std::string value = variable.initial;
  const auto advance = [&](std::int64_t at) {
    const double factor = state.empty() ? std::stod(value.empty() ? "0" : value) : value == state ? 1 : 0;
    sum += factor * static_cast<double>(at - since) / 1e6;
    since = at;
  };
  for (const auto& [at, to] : variable.changes) {
    advance(at);
    value = to;
  }
  advance(end_fs);
  return sum;
}

TEST(StallProbes, ShowWhatTheResultsSay) {
  const std::string root = FREDSIM_SOURCE_DIR;
  const auto configuration = tb::load_configuration(
      root + "/tb/configs/single_switch.yaml",
      {"buffer.dp=8 KiB", "buffer.pp=4 KiB", "switch.staging=1", "switch.internal_bandwidth=12 TB/s"});
  tb::SimulationOptions options;
  options.waveform.emplace();
  options.waveform->path = testing::TempDir() + "stall_probe_test.vcd";
  options.waveform->globs = {"*.stall", "switch.control.*"};
  tb::Simulation simulation(configuration, trace::load(root + "/traces/samples/three_classes_8npus.jsonl", 8),
                            options);
  const tb::Result& result = simulation.run();
  ASSERT_EQ(result.status, tb::Status::ok);
  const VcdDump dump = hw::test::read_vcd(options.waveform->path);
  std::remove(options.waveform->path.c_str());
  EXPECT_TRUE(dump.complaints.empty());
  const std::int64_t end = result.simulated.fs();

  // An NPU has one packet of a class at its transmitter at a time, so all packets wait first in line, as the
  // signals show it. While a packet lacks credit another class may have the link: at that instant the signal
  // says link_busy, and the result counts all as link_busy up to the last such instant.
  double no_credit = 0;
  for (const tb::LinkResult& link : result.links) {
    if (link.name.rfind("npu", 0) != 0) continue;
    const std::string port = link.name.substr(0, link.name.find('_'));
    double credit = 0, busy = 0;
    for (const char* vc : {"mp", "pp", "dp", "control"}) {
      const VcdVariable& stall = dump.variables.at(port + ".vc_" + vc + ".stall");
      credit += integral(stall, end, "no_credit");
      busy += integral(stall, end, "link_busy");
    }
    EXPECT_NEAR(credit + busy, link.no_credit.ns() + link.link_busy.ns(), 1e-3) << link.name;
    EXPECT_GE(credit, link.no_credit.ns() - 1e-3) << link.name;
    no_credit += link.no_credit.ns();
  }
  EXPECT_GT(no_credit, 1000);

  const sw::SwitchStatistics& statistics = result.switches.at(0).statistics;
  const auto of = [&](const std::string& signal) { return dump.variables.at("switch.control." + signal); };
  EXPECT_NEAR(integral(of("stalled.other_route_set"), end), statistics.other_route_set.ns(), 1e-3);
  EXPECT_NEAR(integral(of("stalled.no_staging"), end), statistics.no_staging.ns(), 1e-3);
  EXPECT_NEAR(integral(of("reconfiguring"), end), statistics.reconfiguring.ns(), 1e-3);
  EXPECT_EQ(of("preemptions").changes.back().second, std::to_string(statistics.preemptions));
  EXPECT_GT(statistics.preemptions, 0u);
}

}  // namespace
}  // namespace fredsim
