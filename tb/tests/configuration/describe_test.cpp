#include <gtest/gtest.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <nlohmann/json.hpp>
#include <regex>
#include <sstream>
#include <string>
#include <vector>

#include "hw/core/error.h"
#include "tb/cli/command.h"
#include "tb/cli/describe_command.h"
#include "tb/cli/describe_text.h"
#include "tb/cli/module_text.h"
#include "tb/configuration/effective.h"
#include "tb/configuration/parameter.h"
#include "tb/tests/support/folder.h"

namespace fredsim::tb {
namespace {

using nlohmann::ordered_json;
using test::read_file;

const std::string single_switch = FREDSIM_SOURCE_DIR "/tb/configs/single_switch.yaml";

/// What `fredsim describe ARGUMENTS` prints.
std::string describe(std::vector<std::string> arguments, const DescribeSystem& system = nullptr) {
  CLI::App app;
  int exit_code = 99;
  add_describe_command(app, exit_code, system);
  arguments.insert(arguments.begin(), "describe");
  std::reverse(arguments.begin(), arguments.end());
  testing::internal::CaptureStdout();
  try {
    app.parse(arguments);
  } catch (...) {
    testing::internal::GetCapturedStdout();
    throw;
  }
  EXPECT_EQ(exit_code, 0);
  return testing::internal::GetCapturedStdout();
}

/// The part of the guide that `fredsim describe --markdown` makes.
TEST(Guide, HoldsTheTableThatDescribePrints) {
  const std::string guide = read_file(FREDSIM_SOURCE_DIR "/docs/04-configuration.md");
  const std::string begin = "<!-- begin: fredsim describe --markdown -->\n\n";
  const std::string end = "\n<!-- end -->";
  const std::size_t from = guide.find(begin);
  ASSERT_NE(from, std::string::npos);
  const std::size_t to = guide.find(end, from);
  ASSERT_NE(to, std::string::npos);
  EXPECT_EQ(guide.substr(from + begin.size(), to - from - begin.size()), describe({"--markdown"}))
      << "docs/04-configuration.md is out of date: put what `fredsim describe --markdown` prints between its "
         "markers";
}

TEST(Guide, ShowsTheMessagesThatBadFilesGet) {
  const std::string guide = read_file(FREDSIM_SOURCE_DIR "/docs/04-configuration.md");
  const auto expect_shown = [&](const std::string& text, const std::vector<std::string>& sets) {
    try {
      parse_configuration(text, "my.yaml", sets);
      ADD_FAILURE() << "accepted: " << text;
    } catch (const hw::InputError& error) {
      std::istringstream lines(error.what());
      for (std::string line; std::getline(lines, line);)
        EXPECT_NE(guide.find(line), std::string::npos) << line;
    }
  };
  // The file the guide shows in its section on mistakes.
  const std::string begin = "<!-- begin: mistakes -->\n\n```yaml\n";
  const std::size_t from = guide.find(begin);
  ASSERT_NE(from, std::string::npos);
  const std::size_t to = guide.find("```", from + begin.size());
  expect_shown(guide.substr(from + begin.size(), to - from - begin.size()), {"switch.staging=0"});
  expect_shown("system: switch\nbuffer:\n  dp: 2 KiB\n", {});
  expect_shown("system: tree\ntree: {leaf_npus: 4, planes: 60}\n", {});
  expect_shown("system: tree\ntree.l3.planes: 1\n", {});
}

TEST(DescribeText, ListsEveryParameterWithinTheWidth) {
  for (const std::size_t width : {80u, 100u, 160u}) {
    const std::string text = parameters_text(width);
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);) EXPECT_LE(line.size(), width) << line;
    for (const Parameter& parameter : declared_parameters()) {
      EXPECT_NE(text.find("\n  " + parameter.key + " "), std::string::npos) << parameter.key;
    }
  }
}

TEST(DescribeText, WrapsWithoutLosingWords) {
  const auto words = [](const std::string& text) {
    std::istringstream stream(text);
    return std::vector<std::string>(std::istream_iterator<std::string>(stream), {});
  };
  EXPECT_EQ(words(parameters_text(60)), words(parameters_text(1000)));
}

TEST(DescribeCommand, WithoutConfigurationPrintsParameters) {
  const std::string path = testing::TempDir() + "parameters.json";
  const std::string text = describe({"--json", path});
  EXPECT_NE(text.find("link.latency"), std::string::npos);
  const ordered_json json = ordered_json::parse(read_file(path));
  EXPECT_EQ(json["format"], "fredsim-parameters");
  const auto& declared = declared_parameters();
  ASSERT_EQ(json["parameters"].size(), declared.size());
  std::map<std::string, ordered_json> by_key;
  for (std::size_t i = 0; i < declared.size(); ++i) {
    EXPECT_EQ(json["parameters"][i]["key"], declared[i].key);
    by_key[declared[i].key] = json["parameters"][i];
  }
  EXPECT_EQ(by_key.at("switch.ports"), (ordered_json{{"key", "switch.ports"},
                                                     {"type", "integer"},
                                                     {"required", false},
                                                     {"unit", "ports"},
                                                     {"system", "switch"},
                                                     {"default", "8"},
                                                     {"minimum", "2"},
                                                     {"maximum", "64"},
                                                     {"allowed", "2 to 64"},
                                                     {"meaning", find_parameter("switch.ports")->meaning},
                                                     {"source", "free choice"}}));
  EXPECT_EQ(by_key.at("link.lK.latency")["levels"], ordered_json({2, 6}));
  EXPECT_EQ(by_key.at("buffer.lK.up.dp")["levels"], ordered_json({1, 5}));
}

TEST(DescribeCommand, WithConfigurationPrintsValuesModulesAndHardware) {
  const std::string path = testing::TempDir() + "description.json";
  std::uint32_t ports = 0;
  const ordered_json system = ordered_json::parse(R"({
    "modules": [{"name": "top", "type": "Top", "modules": [{"name": "npu0", "memory": "80 GB"}, {"name": "switch"}]}],
    "hardware": {"micro_switches": {"r": 8, "d": 8}, "route_bits": 40,
                 "levels": [{"level": 1, "switches": 5, "hops": 7}, {"level": "all", "switches": 9}]}})");
  const std::string text =
      describe({single_switch, "--set", "buffer.dp=8 KiB", "--set=switch.ports=6", "--json", path},
               [&](const Configuration& configuration, const std::optional<std::string>&) {
                 ports = configuration.sw.ports;
                 return SystemDescription{system, "graph {}\n"};
               });
  EXPECT_EQ(ports, 6u);
  EXPECT_TRUE(std::regex_search(text, std::regex("\n  buffer.l1.down.dp +8 KiB +as buffer.dp\n"))) << text;
  EXPECT_TRUE(std::regex_search(text, std::regex("\n  switch.ports +6 +--set\n"))) << text;
  EXPECT_NE(text.find("\nModules\n  top  Top\n    npu0  memory=80 GB\n    switch\n\n"
                      "Hardware\n  micro_switches:\n    r: 8\n    d: 8\n  route_bits: 40\n"
                      "  levels:\n    level     1  all\n    switches  5    9\n    hops      7\n"),
            std::string::npos)
      << text;
  const ordered_json json = ordered_json::parse(read_file(path));
  EXPECT_EQ(json["format"], "fredsim-description");
  EXPECT_EQ(json["config"],
            effective_json(load_configuration(single_switch, {"buffer.dp=8 KiB", "switch.ports=6"})));
  EXPECT_EQ(json["origin"]["buffer.npu.dp"], "as buffer.dp");
  EXPECT_EQ(json["modules"], system["modules"]);
  EXPECT_EQ(json["hardware"], system["hardware"]);
}

TEST(DescribeCommand, WritesThePicture) {
  const test::Folder folder;
  const auto draw = [](const Configuration&, const std::optional<std::string>&) {
    return SystemDescription{nullptr, "graph {}\n"};
  };
  describe({single_switch, "--dot", folder / "s.dot"}, draw);
  EXPECT_EQ(read_file(folder / "s.dot"), "graph {}\n");
  EXPECT_EQ(describe({single_switch, "--dot", "-"}, draw), "graph {}\n");
  EXPECT_THROW(describe({"--dot", folder / "s.dot"}, draw), CLI::ParseError);
  EXPECT_THROW(describe({single_switch, "--dot", "-", "--json", "-"}, draw), hw::InputError);
  EXPECT_THROW(describe({single_switch, "--dot", folder / "x", "--json", folder / "x"}, draw),
               hw::InputError);
  EXPECT_THROW(describe({single_switch, "--dot", single_switch}, draw), hw::InputError);
}

/// Siblings that differ in a number only share a line; those that differ inside do not.
TEST(ModuleText, CollapsesWhatIsAlike) {
  const ordered_json modules = ordered_json::parse(R"([
    {"name": "l1_0", "type": "S", "modules": [{"name": "in0"}, {"name": "in1"}]},
    {"name": "l1_1", "type": "S", "modules": [{"name": "in0"}]},
    {"name": "l1_2", "type": "S", "modules": [{"name": "in0"}, {"name": "in1"}]},
    {"name": "l2_0", "type": "S", "modules": [{"name": "in0"}]},
    {"name": "npu0", "type": "N", "memory": "8 GB"}, {"name": "npu0_to_l1_0", "type": "L"},
    {"name": "npu1", "type": "N", "memory": "8 GB"}, {"name": "npu1_to_l1_0", "type": "L"},
    {"name": "npu2", "type": "N", "memory": "9 GB"}, {"name": "npu2_to_l1_1", "type": "L"},
    {"name": "npu3", "type": "N", "memory": "8 GB"}, {"name": "npu3_to_l1_1", "type": "L"},
    {"name": "npu4", "type": "N", "memory": "8 GB"}, {"name": "npu4_to_l1_2", "type": "L"},
    {"name": "npu5", "type": "N", "memory": "8 GB"}, {"name": "l1_0_to_l2_0", "type": "L"},
    {"name": "2", "type": "X"}, {"name": "", "type": "X"}, {"name": "a_to_", "type": "X"}])");
  EXPECT_EQ(modules_text(modules, 1),
            " l1_0, l1_2  S x 2\n"
            "   in0, in1 x 2\n"
            " l1_1  S\n"
            "   in0\n"
            " l2_0  S\n"
            "   in0\n"
            " npu0, npu1, ... npu5  N x 5  memory=8 GB\n"
            " npu0_to_l1_0, npu1_to_l1_0, ... npu4_to_l1_2  L x 5\n"
            " npu2  N  memory=9 GB\n"
            " l1_0_to_l2_0  L\n"
            " 2  X\n"
            "   X\n"
            " a_to_  X\n");
}

TEST(DescribeCommand, RefusesWhatItCannotDo) {
  EXPECT_THROW(describe({"--set", "seed=1"}), CLI::ParseError);
  EXPECT_THROW(describe({"--set"}), CLI::ParseError);
  EXPECT_THROW(describe({"--json"}), CLI::ParseError);
  EXPECT_THROW(describe({single_switch, "--markdown"}), CLI::ParseError);
  EXPECT_THROW(describe({single_switch, single_switch}), CLI::ParseError);
  EXPECT_THROW(describe({""}), hw::InputError);
  EXPECT_THROW(describe({"nowhere.yaml"}), hw::InputError);
  EXPECT_THROW(describe({single_switch, "--set", "seed=x"}), hw::InputError);
  EXPECT_THROW(describe({single_switch, "--json", testing::TempDir()}), hw::InputError);
  EXPECT_THROW(describe({"--json", "/dev/full"}), hw::InputError);
}

TEST(DescribeCommand, OpensOutputsBeforeElaborating) {
  bool elaborated = false;
  const auto elaborate = [&](const Configuration&, const std::optional<std::string>&) {
    elaborated = true;
    return SystemDescription{ordered_json::object(), ""};
  };
  EXPECT_THROW(describe({single_switch, "--json", testing::TempDir() + "no/where.json"}, elaborate),
               hw::InputError);
  EXPECT_FALSE(elaborated);
}

}  // namespace
}  // namespace fredsim::tb
