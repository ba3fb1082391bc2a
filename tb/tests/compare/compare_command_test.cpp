// `fredsim compare` and `fredsim wave-diff` on what runs write: exit codes for a regression gate.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "tb/tests/cli/program.h"

namespace fredsim::tb::test {
namespace {

class CompareCommand : public testing::Test {
 protected:
  void run(const std::string& name, const std::vector<std::string>& more = {}) const {
    std::vector<std::string> arguments = {
        "run",    single_switch(), "--trace", source_path("docs/examples-data/two_flows.jsonl"),
        "--json", name + ".json",  "--vcd",   name + ".vcd"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    const Outcome outcome = fredsim(arguments, folder.path());
    ASSERT_EQ(outcome.exit_code, 0) << outcome.error;
  }
  Outcome call(const std::vector<std::string>& arguments) const { return fredsim(arguments, folder.path()); }

  Folder folder;
};

TEST_F(CompareCommand, EqualRunsAreEqual) {
  run("a");
  run("b");
  const Outcome results = call({"compare", "a.json", "b.json"});
  EXPECT_EQ(results.exit_code, 0);
  EXPECT_EQ(results.out, "results are equal\n");
  EXPECT_EQ(call({"wave-diff", "a.vcd", "b.vcd"}).exit_code, 0);
}

TEST_F(CompareCommand, IsAGate) {
  run("a");
  run("b", {"--set", "link.latency=3.4 ns"});
  const Outcome outcome = call({"compare", "a.json", "b.json", "--json", "d.json"});
  EXPECT_EQ(outcome.exit_code, 1);
  EXPECT_NE(outcome.out.find("link.latency                 3.3 ns -> 3.4 ns"), std::string::npos)
      << outcome.out;
  const auto json = nlohmann::json::parse(read_file(folder / "d.json"));
  EXPECT_EQ(json["format"], "fredsim-comparison");
  double largest = 0;
  for (const auto& difference : json["results"])
    largest = std::max(largest, difference["effect"].is_null() ? 1e300 : difference["effect"].get<double>());
  for (const auto& difference : json["results"]) {
    if (difference["path"] != "simulated_ns") continue;
    const double effect = difference["effect"].get<double>();
    const std::vector<std::string> only_time = {"--ignore",     "*[*",      "--ignore",
                                                "*bytes_per_s", "--ignore", "packets*"};
    const auto gate = [&](double tolerance) {
      std::vector<std::string> arguments = {"compare", "a.json", "b.json", "--tolerance",
                                            std::to_string(tolerance)};
      arguments.insert(arguments.end(), only_time.begin(), only_time.end());
      return call(arguments).exit_code;
    };
    EXPECT_EQ(gate(effect * 1.01), 0);
    EXPECT_EQ(gate(effect * 0.99), 1);
  }
  const Outcome waves = call({"wave-diff", "a.vcd", "b.vcd"});
  EXPECT_EQ(waves.exit_code, 1);
  // The first packet's head arrives after the latency: until then nothing can differ.
  EXPECT_NE(waves.out.find("the waveforms part at 3.3 ns\n"), std::string::npos) << waves.out;
}

TEST_F(CompareCommand, RefusesBadInput) {
  run("a");
  write_file(folder / "other.json", "{\"format\": \"fredsim-schedule\"}");
  write_file(folder / "broken.json", "{");
  const std::vector<std::vector<std::string>> bad = {
      {"compare", "a.json"},
      {"compare", "a.json", "none.json"},
      {"compare", "a.json", "other.json"},
      {"compare", "a.json", "broken.json"},
      {"compare", "a.json", "a.vcd"},
      {"compare", "a.json", "a.json", "--tolerance", "-1"},
      {"compare", "a.json", "a.json", "--tolerance", "some"},
      {"compare", "a.json", "a.json", "--json", "a.json"},
      {"wave-diff", "a.vcd", "none.vcd"},
      {"wave-diff", "a.vcd", "a.json"},
      {"wave-diff", "a.vcd", "a.vcd", "--wave", "nothing"},
  };
  for (const auto& arguments : bad) {
    const Outcome outcome = call(arguments);
    EXPECT_EQ(outcome.exit_code, 2) << testing::PrintToString(arguments) << outcome.out;
    EXPECT_NE(outcome.error, "");
  }
  EXPECT_EQ(call({"compare", "a.json", "a.json", "--tolerance", "1%"}).exit_code, 0);
}

}  // namespace
}  // namespace fredsim::tb::test
