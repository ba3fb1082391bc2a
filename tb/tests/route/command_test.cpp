#include "tb/cli/command.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "hw/core/error.h"
#include "tb/cli/route_flow.h"
#include "tb/tests/route/oracle.h"

namespace fredsim::tb {
namespace {

using Json = nlohmann::ordered_json;
using Arguments = std::vector<std::string>;

struct Outcome {
  int exit_code = -1;
  std::string out;
  std::string error;
};

Outcome run(Arguments arguments) {
  CLI::App app;
  app.require_subcommand(1);
  Outcome outcome;
  add_route_command(app, outcome.exit_code);
  std::reverse(arguments.begin(), arguments.end());
  arguments.emplace_back("route");
  testing::internal::CaptureStdout();
  testing::internal::CaptureStderr();
  try {
    app.parse(arguments);
  } catch (const CLI::ParseError& error) {
    outcome.exit_code = 2;
    outcome.error = error.what();
  } catch (const hw::InputError& error) {
    outcome.exit_code = 2;
    outcome.error = error.what();
  }
  outcome.out = testing::internal::GetCapturedStdout();
  outcome.error += testing::internal::GetCapturedStderr();
  return outcome;
}

Arguments triangle(const std::string& middle, const Arguments& more = {}) {
  Arguments arguments = {"--ports", "8", "--middle", middle};
  for (const char* flow : {"0,2>0,2", "1,5>1,5", "3,4>3,4", "6,7>6,7"}) {
    arguments.emplace_back("--flow");
    arguments.emplace_back(flow);
  }
  arguments.insert(arguments.end(), more.begin(), more.end());
  return arguments;
}

TEST(RouteCommand, ConflictIsAnAnswer) {
  const Outcome outcome = run(triangle("2", {"--json", "-"}));
  EXPECT_EQ(outcome.exit_code, 0);
  const Json expected = Json::parse(R"({
    "routed": false, "switch": {"ports": 8, "middle": 2},
    "flows": [{"inputs": [0, 2], "outputs": [0, 2], "path": null}, {"inputs": [1, 5], "outputs": [1, 5], "path": null},
              {"inputs": [3, 4], "outputs": [3, 4], "path": null}, {"inputs": [6, 7], "outputs": [6, 7], "path": null}],
    "micro_switches": {"r": 8, "d": 8, "rd": 4}, "hops": 5, "route_bits": 80,
    "conflict": {"flows": [0, 1, 2], "level": 0, "smallest_middle": 3, "swap": [1, 4],
                 "placement": null}})");
  EXPECT_EQ(Json::parse(outcome.out), expected);
  // The summary goes where it does not disturb the reader of the JSON.
  EXPECT_NE(outcome.error.find("cannot be routed together: flows 0, 1, 2"), std::string::npos);
}

TEST(RouteCommand, RoutedFlowsHavePathsThatWork) {
  const Outcome outcome = run(triangle("3", {"--json", "-"}));
  EXPECT_EQ(outcome.exit_code, 0);
  const Json json = Json::parse(outcome.out);
  EXPECT_EQ(json["routed"], true);
  EXPECT_TRUE(json["conflict"].is_null());
  std::vector<sw::PortFlow> flows;
  std::vector<sw::Route> routes;
  for (const Json& flow : json["flows"]) {
    flows.push_back(sw::test::flow(flow["inputs"].get<std::set<std::uint32_t>>(),
                                   flow["outputs"].get<std::set<std::uint32_t>>()));
    routes.push_back({flow["path"].get<std::vector<std::uint8_t>>()});
  }
  EXPECT_EQ(sw::test::replay(sw::Structure(8, 3), flows, routes), "");
}

TEST(RouteCommand, PoliciesSplitTheFlows) {
  Json json = Json::parse(run(triangle("2", {"--policy", "block", "--json", "-"})).out);
  EXPECT_EQ(json["routed"], false);
  EXPECT_EQ(json["turns"], Json::parse("[[0, 1, 3], [2]]"));
  json = Json::parse(run(triangle("2", {"--policy", "decompose", "--json", "-"})).out);
  EXPECT_EQ(json["decomposed"], Json::parse(R"([{"flow": 2, "unicasts": [[3, 4], [4, 3]]}])"));
  EXPECT_TRUE(json["flows"][2]["path"].is_null());
  EXPECT_FALSE(json["flows"][3]["path"].is_null());
  json = Json::parse(run(triangle("3", {"--policy", "block", "--json", "-"})).out);
  EXPECT_EQ(json["turns"], Json::parse("[[0, 1, 2, 3]]"));
}

TEST(RouteCommand, WritesFilesAndASummary) {
  const std::filesystem::path folder = testing::TempDir();
  const std::string json = (folder / "route_command.json").string();
  const std::string dot = (folder / "route_command.dot").string();
  const Outcome outcome = run(triangle("3", {"--json", json, "--dot", dot}));
  EXPECT_EQ(outcome.exit_code, 0);
  EXPECT_NE(outcome.out.find("all flows routed together"), std::string::npos);
  std::stringstream text;
  text << std::ifstream(json).rdbuf();
  EXPECT_EQ(Json::parse(text.str())["routed"], true);
  std::string first;
  std::getline(std::ifstream(dot), first);
  EXPECT_EQ(first, "digraph \"FRED_3(8)\" {");
  std::filesystem::remove(json);
  std::filesystem::remove(dot);
}

TEST(RouteCommand, RangesOfPorts) {
  const sw::Structure structure(8, 3);
  EXPECT_EQ(parse_port_flow("0-3>4-5,7", structure), sw::test::flow({0, 1, 2, 3}, {4, 5, 7}));
  EXPECT_EQ(parse_port_flow(" 2 , 0 > 7 ", structure), sw::test::flow({0, 2}, {7}));
  EXPECT_EQ(parse_port_flow("5-5>0", structure), sw::test::flow({5}, {0}));
}

TEST(RouteCommand, BadInputIsRefusedWithItsPlace) {
  struct Case {
    Arguments arguments;
    std::string message;
  };
  const auto with_flow = [](const std::string& flow) {
    return Arguments{"--ports", "8", "--middle", "3", "--flow", flow};
  };
  const std::vector<Case> cases = {
      {{"--ports", "8", "--middle", "3"}, "--flow is required"},
      {{"--ports", "8", "--flow", "0>1"}, "--middle is required"},
      {{"--middle", "3", "--flow", "0>1"}, "--ports is required"},
      {{"--ports", "1", "--middle", "3", "--flow", "0>0"}, "--ports 1: 2 to 64 are allowed"},
      {{"--ports", "-8", "--middle", "3", "--flow", "0>0"}, "--ports -8: 2 to 64 are allowed"},
      {{"--ports", "65", "--middle", "3", "--flow", "0>0"}, "--ports 65: 2 to 64 are allowed"},
      {{"--ports", "8", "--middle", "1", "--flow", "0>0"}, "--middle 1: 2 to 8 are allowed"},
      {{"--ports", "8", "--middle", "9", "--flow", "0>0"}, "--middle 9: 2 to 8 are allowed"},
      {{"--ports", "eight", "--middle", "3", "--flow", "0>0"}, "--ports"},
      {{"--ports", "8", "--middle", "3", "--flow"}, "--flow"},
      {{"--ports", "8", "--flow", "0>1", "--middle"}, "--middle"},
      {{"--middle", "3", "--flow", "0>1", "--ports"}, "--ports"},
      {{"--ports", "8", "--middle", "3", "--flow", "0>1", "--json"}, "--json"},
      {{"--ports", "8", "--middle", "3", "--flow", "0>1", "--dot"}, "--dot"},
      {{"--ports", "8", "--middle", "3", "--flow", "0>1", "--policy"}, "--policy"},
      {{"--ports", "8", "--middle", "3", "--flow", "0>1", "--policy", "blok"},
       "--policy blok: fail, block, decompose are allowed; did you mean block?"},
      {{"--ports", "8", "--middle", "3", "--flow", "0>1", "--json", "/no/such/folder/x.json"},
       "--json /no/such/folder/x.json: cannot be opened for writing: No such file or directory"},
      {{"--ports", "8", "--middle", "3", "--flow", "0>1", "--json", "-", "--dot", "-"},
       "--json - --dot -: each needs a file of its own"},
      {{"--ports", "8", "--middle", "3", "--flow", "0>1", "extra"}, "extra"},
      {{"--ports", "8", "--middle", "3", "--flow", "0>1", "--json", ""},
       "--json : cannot be opened for writing"},
      {with_flow(""), "--flow \"\": a flow is written as input ports > output ports"},
      {with_flow("0,2"), "--flow \"0,2\": a flow is written as input ports > output ports"},
      {with_flow("0>1>2"), "a flow is written as input ports > output ports"},
      {with_flow(">1"), "--flow \">1\": no input ports; at least one is needed"},
      {with_flow("1>"), "--flow \"1>\": no output ports; at least one is needed"},
      {with_flow("0,99>1"), "--flow \"0,99>1\": port 99 does not exist; FRED_3(8) has ports 0 to 7"},
      {with_flow("0>99999999999999999999"), "port 99999999999999999999 does not exist"},
      {with_flow("0,,1>2"), "\"\" is not a port"},
      {with_flow("0,>2"), "\"\" is not a port"},
      {with_flow("0,x>2"), "\"x\" is not a port"},
      {with_flow("-1>2"), "\"\" is not a port"},
      {with_flow("0-1-2>2"), "\"1-2\" is not a port"},
      {with_flow("3-0>2"), "the range 3-0 runs backwards; write 0-3"},
      {with_flow("0-3,2>2"), "flow 0 (0,1,2,2,3>2): input port 2 is given twice"},
      {{"--ports", "8", "--middle", "3", "--flow", "0>1", "--flow", "0>2"},
       "flow 1 (0>2): port 0 is an input of flow 0 (0>1) already; a port can be an input of one flow only"},
  };
  for (const Case& c : cases) {
    std::string line;
    for (const std::string& argument : c.arguments) line += " " + argument;
    const Outcome outcome = run(c.arguments);
    EXPECT_EQ(outcome.exit_code, 2) << line;
    EXPECT_NE(outcome.error.find(c.message), std::string::npos) << line << "\n" << outcome.error;
    EXPECT_EQ(outcome.out, "") << line;
  }
}

}  // namespace
}  // namespace fredsim::tb
