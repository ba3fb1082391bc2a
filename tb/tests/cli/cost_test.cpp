// What runs say they cost, and the histograms of their buffers.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "tb/tests/cli/program.h"

namespace fredsim::tb::test {
namespace {

using nlohmann::json;

/// The text of a trace: all of `npus` reduce 256 KiB each.
std::string all_reduce(int npus) {
  json members = json::array();
  for (int n = 0; n < npus; ++n) members.push_back(n);
  return json{{"format", "fredsim-trace"}, {"version", 1}, {"npus", npus}, {"name", "all"}}.dump() + "\n" +
         json{{"id", "a"}, {"type", "all_reduce"}, {"npus", members}, {"bytes", 262144}}.dump() + "\n";
}

json result_of(const std::string& config, const std::string& trace,
               const std::vector<std::string>& more = {}) {
  const Folder folder;
  write_file(folder / "t.jsonl", trace);
  std::vector<std::string> arguments{"run",       config,   "--trace", folder / "t.jsonl",
                                     "--no-data", "--json", "-"};
  arguments.insert(arguments.end(), more.begin(), more.end());
  const Outcome outcome = fredsim(arguments);
  EXPECT_EQ(outcome.exit_code, 0) << outcome.error;
  return json::parse(outcome.out);
}

double counted(const json& result, const std::string& what) {
  for (const json& part : result["cost"]["energy"]) {
    if (part["what"] == what) return part["count"];
  }
  return 0;
}

/// All-reduce of N operands takes N - 1 adds an element, wherever they take place (derived); each NPU has D
/// bytes of FP16.
TEST(Cost, AnAllReduceTakesNMinusOneAddsAnElement) {
  const json fred = result_of(configuration("fred_d"), all_reduce(20));
  const double elements = fred["operations"][0]["padded_bytes"].get<double>() / 2;
  EXPECT_EQ(counted(fred, "switch_adds_fp16"), 19 * elements);
  EXPECT_EQ(counted(fred, "npu_adds_fp16"), 0);
  const json modules =
      result_of(configuration("fred_d"), all_reduce(20), {"--set", "switch.abstraction=microswitch"});
  EXPECT_EQ(modules["cost"], fred["cost"]);
  const json mesh = result_of(configuration("mesh"), all_reduce(20));
  EXPECT_EQ(counted(mesh, "npu_adds_fp16"), 19 * elements);
  EXPECT_EQ(counted(mesh, "switch_bits"), 0);
  EXPECT_FALSE(mesh["cost"].contains("area_mm2"));
}

TEST(Cost, BitsAreThoseOfLinksThatLeadToSwitches) {
  const json fred = result_of(configuration("fred_d"), all_reduce(20));
  double bytes = 0, joules = 0;
  for (const json& link : fred["links"]) {
    const std::string name = link["name"];
    const std::string to = name.substr(name.find("_to_") + 4);
    if (to.rfind("l1_", 0) == 0 || to.rfind("l2_", 0) == 0)
      bytes += link["bytes"].get<double>() + link["control_bytes"].get<double>();
  }
  EXPECT_EQ(counted(fred, "switch_bits"), 8 * bytes);
  for (const json& part : fred["cost"]["energy"]) {
    EXPECT_DOUBLE_EQ(part["joules"].get<double>(),
                     part["count"].get<double>() * part["pj_each"].get<double>() * 1e-12);
    joules += part["joules"].get<double>();
  }
  EXPECT_DOUBLE_EQ(fred["cost"]["energy_j"].get<double>(), joules);
  EXPECT_NEAR(fred["cost"]["mean_power_w"].get<double>(),
              joules / (fred["simulated_ns"].get<double>() * 1e-9), 1e-6);
  EXPECT_LT(fred["cost"]["mean_power_w"].get<double>(), fred["cost"]["peak_power_w"].get<double>());
  EXPECT_NEAR(fred["cost"]["area_mm2"].get<double>(), 25195, 0.5);
}

TEST(Cost, CoefficientsAreTheUsers) {
  const Folder folder;
  write_file(folder / "mine.yaml", "switch: {pj_per_bit: 7}\n");
  const json mine = result_of(configuration("single_switch"), all_reduce(8),
                              {"--set", "cost.coefficients=" + folder / "mine.yaml"});
  EXPECT_EQ(mine["cost"]["coefficients"], folder / "mine.yaml");
  EXPECT_EQ(mine["cost"]["energy"][0]["pj_each"], 7);
  write_file(folder / "wrong.yaml", "switch: {pj_per_bot: 7}\n");
  for (const char* command : {"run", "describe"}) {
    std::vector<std::string> arguments{command, single_switch(), "--set",
                                       "cost.coefficients=" + folder / "wrong.yaml"};
    if (std::string(command) == "run") {
      write_file(folder / "t.jsonl", all_reduce(8));
      arguments.insert(arguments.end(), {"--trace", folder / "t.jsonl"});
    }
    const Outcome outcome = fredsim(arguments);
    EXPECT_EQ(outcome.exit_code, 2);
    EXPECT_NE(outcome.error.find("wrong.yaml:1:10: switch.pj_per_bot: unknown key"), std::string::npos)
        << outcome.error;
  }
}

/// Packets of an all-reduce all have the full size, so a buffer stands at whole ranges and its mean is that
/// of the histogram.
TEST(Histograms, SpreadTheMeanOverTheWholeRun) {
  const json with = result_of(configuration("fred_d"), all_reduce(20), {"--histograms"});
  json without = result_of(configuration("fred_d"), all_reduce(20));
  double most = 0;
  for (const json& buffer : with["buffers"]) {
    const json& histogram = buffer["histogram"];
    double time = 0, sum = 0;
    for (std::size_t i = 0; i < histogram["ns"].size(); ++i) {
      time += histogram["ns"][i].get<double>();
      sum +=
          histogram["ns"][i].get<double>() * static_cast<double>(i) * histogram["bucket_bytes"].get<double>();
    }
    EXPECT_NEAR(time, with["simulated_ns"].get<double>(), 1e-3) << buffer["name"];
    if (buffer["vc"] != "dp") continue;
    EXPECT_EQ(histogram["bucket_bytes"], 4096);
    // Only the last packet is shorter.
    EXPECT_NEAR(sum / time, buffer["mean_bytes"].get<double>(), 30) << buffer["name"];
    most = std::max(most, buffer["mean_bytes"].get<double>());
  }
  EXPECT_GT(most, 1000);
  json same = with;
  for (json& buffer : same["buffers"]) buffer.erase("histogram");
  for (json* result : {&same, &without}) {
    result->erase("performance");
    result->erase("command");
  }
  EXPECT_EQ(same, without);
}

}  // namespace
}  // namespace fredsim::tb::test
