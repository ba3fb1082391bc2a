// What takes long on trees: the wafer at 64 MiB and its waveform, and 1024 NPUs.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <set>

#include "tb/tests/cli/program.h"
#include "tb/tests/observe/vcd_reader.h"
#include "tb/tests/system/closed_form.h"
#include "tb/tests/system/simulate.h"
#include "tb/tests/system/trees.h"
#include "tb/tests/system/wafer_times.h"

namespace fredsim::tb::test {
namespace {

constexpr std::uint64_t mib = 1 << 20;
constexpr double d = 64.0 * mib;

// FRED sec. 8.1: per-NPU effective bandwidth, in bytes / (GB/s) = ns.
TEST(WaferOf64MiB, OneAllReduceOfAllOnFredD) {
  expect_wafer_time(true, wafer_wide(64 * mib), d / 3000, 0.03);
}
TEST(WaferOf64MiB, OneAllReduceOfAllOnFredB) {
  expect_wafer_time(false, wafer_wide(64 * mib), d / 1500, 0.05);
}
TEST(WaferOf64MiB, FourGroupsOfFiveOnFredD) {
  expect_wafer_time(true, dp_groups(64 * mib), d / 3000, 0.05);
}
TEST(WaferOf64MiB, FourGroupsOfFiveOnFredB) {
  expect_wafer_time(false, dp_groups(64 * mib), d / 375, 0.05);
}
TEST(WaferOf64MiB, TenPairs) {
  expect_wafer_time(true, mp_pairs(64 * mib), d / 3000, 0.03);
  expect_wafer_time(false, mp_pairs(64 * mib), d / 3000, 0.03);
}

// Two links each of 3.3, 10 and 50 ns and 37 micro-switches of 0.2 ns from NPU to NPU, and a change of route
// set at five switches.
TEST(TreeOf1024Npus, AllReducesAMebibyte) {
  sw::TreeShape shape;
  shape.leaf_npus = 16;
  shape.upper = {{8, 4}, {8, 1}};
  std::vector<std::uint32_t> all;
  for (std::uint32_t n = 0; n < 1024; ++n) all.push_back(n);
  Replay replay;
  replay.configuration = tree_1024();
  replay.workload = workload_of(line("a", "all_reduce", all, fmt::format(R"(,"bytes":{})", mib)), 1024);
  const nlohmann::json result = simulate(replay);
  EXPECT_TRUE(is_right(result)) << result["status"];
  EXPECT_EQ(result["verified_elements"], 1024 * mib / 2);
  const double ideal = mib / 450.0;
  EXPECT_GT(result["simulated_ns"], ideal);
  EXPECT_LT(result["simulated_ns"], 1.01 * ideal + 2 * (3.3 + 10 + 50) + 37 * 0.2 + 5 * 0.2);
  expect_traffic(replay.workload, result, shape);
}

class WaferWaveform : public testing::Test {
 protected:
  /// The result of a run of the program, recorded or not.
  nlohmann::json run(std::uint64_t bytes, const std::string& abstraction, bool record) {
    write_file(folder_ / "c.yaml", fred_d());
    write_file(
        folder_ / "t.jsonl",
        "{\"format\":\"fredsim-trace\",\"version\":1,\"npus\":20,\"name\":\"t\"}\n" + wafer_wide(bytes));
    std::vector<std::string> arguments = {
        "run",    folder_ / "c.yaml", "--trace", folder_ / "t.jsonl",
        "--json", folder_ / "r.json", "--set",   "switch.abstraction=" + abstraction};
    if (record) arguments.insert(arguments.end(), {"--vcd", folder_ / "w.vcd"});
    const Outcome outcome = fredsim(arguments);
    EXPECT_EQ(outcome.exit_code, 0) << outcome.error;
    EXPECT_EQ(outcome.error, "");
    auto result = nlohmann::json::parse(read_file(folder_ / "r.json"));
    result.erase("performance");
    return result;
  }

  /// Reads the dump and expects signals of every module, and the ends and the traffic of the result.
  void expect_complete(const nlohmann::json& result) {
    const hw::test::VcdDump dump = hw::test::parse_vcd(read_file(folder_ / "w.vcd"));
    EXPECT_EQ(dump.complaints, std::vector<std::string>());
    EXPECT_EQ(dump.begin, 0);
    EXPECT_NEAR(static_cast<double>(dump.end) / 1e6, result["simulated_ns"].get<double>(), 1e-6);
    std::set<std::string> modules;
    for (const auto& [path, variable] : dump.variables) modules.insert(path.substr(0, path.find('.')));
    std::set<std::string> expected = {"links"};
    for (int i = 0; i < 5; ++i) expected.insert(fmt::format("l1_{}", i));
    for (int i = 0; i < 4; ++i) expected.insert(fmt::format("l2_{}", i));
    for (int i = 0; i < 20; ++i) expected.insert(fmt::format("npu{}", i));
    for (int i = 0; i < 18; ++i) expected.insert(fmt::format("io{}", i));
    EXPECT_EQ(modules, expected);
    for (const auto& link : result["links"]) {
      const auto busy = dump.variables.find("links." + link["name"].get<std::string>() + ".busy");
      ASSERT_NE(busy, dump.variables.end()) << link["name"];
      EXPECT_EQ(busy->second.changes.empty(), link["packets"] == 0) << link["name"];
    }
    for (const auto& buffer : result["buffers"]) {
      const std::string path = buffer["name"].get<std::string>() + ".occupancy";
      const auto occupancy = dump.variables.find(path);
      ASSERT_NE(occupancy, dump.variables.end()) << path;
      EXPECT_EQ(occupancy->second.changes.empty(), buffer["peak_bytes"] == 0) << path;
    }
    EXPECT_GT(std::filesystem::file_size(folder_ / "w.gtkw"), 1000u);
  }

  Folder folder_;
};

TEST_F(WaferWaveform, OfEverySignalFor1MiBIsCompleteAndChangesNothing) {
  const nlohmann::json recorded = run(mib, "switch", true);
  expect_complete(recorded);
  EXPECT_EQ(recorded, run(mib, "switch", false));
}

TEST_F(WaferWaveform, ShowsEveryMicroSwitch) {
  const nlohmann::json recorded = run(mib / 16, "microswitch", true);
  expect_complete(recorded);
  EXPECT_EQ(recorded, run(mib / 16, "microswitch", false));
}

}  // namespace
}  // namespace fredsim::tb::test
