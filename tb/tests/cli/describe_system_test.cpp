// What `fredsim describe` says of elaborated systems.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <regex>
#include <set>

#include "tb/tests/cli/program.h"

namespace fredsim::tb::test {
namespace {

using nlohmann::json;

json description(const std::string& name, const std::vector<std::string>& sets = {}) {
  std::vector<std::string> arguments{"describe", configuration(name), "--json", "-"};
  for (const std::string& set : sets) arguments.insert(arguments.end(), {"--set", set});
  const Outcome outcome = fredsim(arguments);
  EXPECT_EQ(outcome.exit_code, 0) << outcome.error;
  return json::parse(outcome.out);
}

std::string drawing(const std::string& name, const std::vector<std::string>& sets = {}) {
  std::vector<std::string> arguments{"describe", configuration(name), "--dot", "-"};
  for (const std::string& set : sets) arguments.insert(arguments.end(), {"--set", set});
  const Outcome outcome = fredsim(arguments);
  EXPECT_EQ(outcome.exit_code, 0) << outcome.error;
  return outcome.out;
}

std::size_t count(const std::string& text, const std::string& pattern) {
  const std::regex regex(pattern);
  return static_cast<std::size_t>(
      std::distance(std::sregex_iterator(text.begin(), text.end(), regex), std::sregex_iterator()));
}

/// FRED sec. 6, fig. 8, and the counts of FRED_3(12) and FRED_3(5) worked out from sec. 4: a FRED_m(P) has
/// floor(P/2) R and D each and m middle FRED_m(ceil(P/2)); for odd P a demux and a mux.
TEST(DescribeSystem, CountsThePapersWafer) {
  const json hardware = description("fred_d")["hardware"];
  EXPECT_EQ(hardware["npus"], 20);
  EXPECT_EQ(hardware["io_controllers"], 18);
  const json& switches = hardware["switches"];
  ASSERT_EQ(switches.size(), 3u);
  EXPECT_EQ(switches[0]["switches"], 5);
  EXPECT_EQ(switches[0]["interconnect"], "FRED_3(12)");
  EXPECT_EQ(switches[0]["r"], 24);
  EXPECT_EQ(switches[0]["d"], 24);
  EXPECT_EQ(switches[0]["rd"], 27);
  EXPECT_EQ(switches[0]["demux"], 9);
  EXPECT_EQ(switches[0]["hops"], 7);
  EXPECT_EQ(switches[1]["switches"], 4);
  EXPECT_EQ(switches[1]["interconnect"], "FRED_3(5)");
  EXPECT_EQ(switches[1]["r"], 2 + 3 * 1);
  EXPECT_EQ(switches[1]["rd"], 3 * 3);
  EXPECT_EQ(switches[1]["demux"], 1 + 3);
  EXPECT_EQ(switches[1]["hops"], 5);
  EXPECT_EQ(switches[2], (json{{"level", "all"},
                               {"switches", 9},
                               {"r", 5 * 24 + 4 * 5},
                               {"d", 5 * 24 + 4 * 5},
                               {"rd", 5 * 27 + 4 * 9},
                               {"demux", 5 * 9 + 4 * 4},
                               {"mux", 5 * 9 + 4 * 4},
                               {"route_memory_bits", 9 * 1536 * 8}}));
  for (const json& level : {switches[0], switches[1]}) {
    EXPECT_EQ(level["route_memory_bits"], 1536 * 8);
    EXPECT_EQ(level["route_sets_in_memory"].get<int>(), 1536 * 8 / level["route_bits"].get<int>());
  }
}

TEST(DescribeSystem, CountsLinksByClass) {
  const json links = description("fred_b")["hardware"]["links"];
  ASSERT_EQ(links.size(), 3u);
  EXPECT_EQ(links[0], (json{{"class", "npu"},
                            {"links", 20},
                            {"bandwidth", "3 TB/s"},
                            {"bandwidth_in_all", "60 TB/s"},
                            {"latency", "3.3 ns"}}));
  EXPECT_EQ(links[1]["class"], "io");
  EXPECT_EQ(links[1]["links"], 18);
  EXPECT_EQ(links[1]["bandwidth"], "128 GB/s");
  // 5 first-level switches x 1.5 TB/s (FRED table 5).
  EXPECT_EQ(links[2]["class"], "l2");
  EXPECT_EQ(links[2]["links"], 20);
  EXPECT_EQ(links[2]["bandwidth_in_all"], "7.5 TB/s");
  const json large = description("tree_1024")["hardware"]["links"];
  ASSERT_EQ(large.size(), 3u);
  EXPECT_EQ(large[2]["class"], "l3");
  EXPECT_EQ(large[2]["links"], 8 * 4);
  EXPECT_EQ(large[2]["latency"], "50 ns");
}

/// Nothing is left out of the JSON, and nothing repeated in the text.
TEST(DescribeSystem, ModulesAreAllInJsonAndCollapsedInText) {
  const json top = description("tree_1024")["modules"][0]["modules"];
  std::set<std::string> names;
  for (const json& module : top) names.insert(module["name"].get<std::string>());
  EXPECT_EQ(names.size(), 64u + 32 + 4 + 1024 + 2 * (1024 + 64 * 4 + 32 * 1));
  EXPECT_EQ(names.count("l2_31"), 1u);
  EXPECT_EQ(names.count("npu1023_to_l1_63"), 1u);
  const Outcome outcome = fredsim({"describe", configuration("tree_1024")});
  EXPECT_NE(outcome.out.find("\n    l1_0, l1_1, ... l1_63  FredSwitch x 64\n"), std::string::npos)
      << outcome.out;
  EXPECT_NE(outcome.out.find("\n    npu0, npu1, ... npu1023  Npu x 1024\n"), std::string::npos)
      << outcome.out;
  EXPECT_LT(std::count(outcome.out.begin(), outcome.out.end(), '\n'), 180);
}

TEST(DescribeSystem, DrawsEveryModuleAndLinkOfAWafer) {
  const std::string dot = drawing("fred_d");
  EXPECT_EQ(count(dot, R"re("l1_\d" \[label)re"), 5u);
  EXPECT_EQ(count(dot, R"re("l2_\d" \[label)re"), 4u);
  EXPECT_EQ(count(dot, R"re(PORT="npu\d+")re"), 20u);
  EXPECT_EQ(count(dot, R"re(PORT="io\d+")re"), 18u);
  EXPECT_EQ(count(dot, R"re("l2_\d":s -- "l1_\d":n \[)re"), 20u);
  EXPECT_EQ(count(dot, R"re("l1_\d":s -- "below_l1_\d":"npu\d+":n \[)re"), 20u);
  EXPECT_EQ(count(dot, R"re("l1_\d":s -- "below_l1_\d":"io\d+":n \[)re"), 18u);
  EXPECT_NE(dot.find("20 NPUs, 18 I/O controllers, 9 FRED switches"), std::string::npos);
  EXPECT_NE(dot.find("128 GB/s"), std::string::npos);
  EXPECT_EQ(dot.find("dashed"), std::string::npos);
  // The ends of a link are those of the tree: I/O controller 17 is the last leaf's, NPU 4 the second's.
  EXPECT_EQ(count(dot, R"re("l1_4":s -- "below_l1_4":"io17":n)re"), 1u);
  EXPECT_EQ(count(dot, R"re("l1_1":s -- "below_l1_1":"npu4":n)re"), 1u);
}

TEST(DescribeSystem, DrawsLargeSystemsWithGapsThatSayWhatTheyStandFor) {
  const std::string dot = drawing("tree_1024");
  EXPECT_LT(count(dot, "\n"), 150u);
  EXPECT_NE(dot.find("dashed: several that are not drawn one by one"), std::string::npos);
  EXPECT_NE(dot.find("l2_4 ... l2_27 (24 switches)<BR/>l1_8 ... l1_55 (48 switches)<BR/>768 NPUs"),
            std::string::npos)
      << dot;
  EXPECT_NE(dot.find("l1_1 ... l1_6 (6 switches)<BR/>96 NPUs"), std::string::npos);
  EXPECT_EQ(count(dot, R"re(>\+ 14<)re"), 4u);
  EXPECT_EQ(count(dot, R"re("l3_3" \[label)re"), 1u);
  EXPECT_EQ(count(dot, R"re("l2_4")re"), 0u);
}

/// Every box and cell that an edge ends at is there, whatever the shape; Graphviz takes it without a word.
TEST(DescribeSystem, DrawingsAreWhole) {
  const std::string program = find_program("dot");
  const std::vector<std::vector<std::string>> shapes = {
      {},
      {"tree.io_controllers=0"},
      {"tree.levels=1"},
      {"tree.planes=20"},
      {"tree.planes=1", "tree.children=9", "tree.levels=3", "tree.io_controllers=500"},
      {"tree.leaf_npus=1", "tree.children=2", "tree.levels=5", "tree.planes=2"},
      {"tree.leaf_npus=30", "tree.children=40", "tree.io_controllers=7", "tree.planes=12"}};
  for (const auto& shape : shapes) {
    SCOPED_TRACE(json(shape).dump());
    const std::string dot = drawing("fred_d", shape);
    const std::regex edge(R"re("([^"]+)"(?::"([^"]+)")?:[sn])re");
    for (std::sregex_iterator at(dot.begin(), dot.end(), edge), end; at != end; ++at) {
      EXPECT_NE(dot.find("\"" + at->str(1) + "\" [label"), std::string::npos) << at->str();
      if (at->length(2) > 0) {
        EXPECT_NE(dot.find("PORT=\"" + at->str(2) + "\""), std::string::npos) << at->str();
      }
    }
    if (program.empty()) continue;
    const Folder folder;
    write_file(folder / "s.dot", dot);
    const Outcome drawn = run_program(program, {"-Tsvg", folder / "s.dot", "-o", folder / "s.svg"});
    EXPECT_EQ(drawn.exit_code, 0);
    EXPECT_EQ(drawn.error, "");
  }
}

}  // namespace
}  // namespace fredsim::tb::test
