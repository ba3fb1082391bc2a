// `fredsim traffic`, and the mesh through the program.
#include <gtest/gtest.h>

#include <map>
#include <nlohmann/json.hpp>

#include "tb/tests/cli/program.h"

namespace fredsim::tb::test {
namespace {

std::vector<std::string> traffic(const std::vector<std::string>& more) {
  std::vector<std::string> arguments{"traffic", configuration("mesh")};
  arguments.insert(arguments.end(), more.begin(), more.end());
  return arguments;
}

TEST(TrafficCommand, WritesWhatItMeasured) {
  const Outcome outcome = fredsim(traffic(
      {"uniform", "--rate", "0.1", "--rate", "0.2", "--warm-up", "100ns", "--window", "1us", "--json", "-"}));
  ASSERT_EQ(outcome.exit_code, 0) << outcome.error;
  const auto json = nlohmann::json::parse(outcome.out);
  EXPECT_EQ(json["format"], "fredsim-traffic");
  ASSERT_EQ(json["measured"].size(), 2u);
  EXPECT_NEAR(json["measured"][1]["accepted"], 0.2, 0.03);
  EXPECT_NE(outcome.error.find("busiest link"), std::string::npos);
}

TEST(TrafficCommand, RefusesWhatMakesNoSense) {
  const auto refused = [](const std::vector<std::string>& more, const std::string& part) {
    const Outcome outcome = fredsim(traffic(more));
    EXPECT_EQ(outcome.exit_code, 2) << part;
    EXPECT_NE(outcome.error.find(part), std::string::npos) << outcome.error;
  };
  refused({"unifrom", "--rate", "0.1"}, "did you mean 'uniform'?");
  refused({"uniform"}, "--rate");
  refused({"uniform", "--rate", "0.1", "--saturation"}, "--rate");
  refused({"uniform", "--rate", "0"}, "out of range");
  refused({"uniform", "--rate", "4.1"}, "above 0 to 4");
  refused({"transpose", "--rate", "0.1"}, "as many rows as columns");
  refused({"hotspot", "--rate", "0.1", "--hot", "20"}, "NPUs 0 to 19");
  refused({"uniform", "--rate", "0.1", "--class", "ep"}, "mp, pp and dp");
  refused({"uniform", "--rate", "0.1", "--window", "0ns"}, "longer than 0");
}

TEST(MeshConfiguration, IsDescribedAndChecked) {
  const Outcome described = fredsim({"describe", configuration("mesh"), "--json", "-"});
  ASSERT_EQ(described.exit_code, 0) << described.error;
  const auto hardware = nlohmann::json::parse(described.out)["hardware"];
  EXPECT_EQ(hardware["npus"], 20);
  EXPECT_EQ(hardware["io_controllers"], 18);
  EXPECT_EQ(hardware["routers"][0]["routers"], 20);
  std::map<std::string, int> links;
  for (const auto& row : hardware["links"]) links[row["class"]] = row["links"];
  EXPECT_EQ(links, (std::map<std::string, int>{{"npu", 20}, {"io", 18}, {"mesh", 31}}));

  const auto refused = [](const std::string& set, const std::string& part) {
    const Outcome outcome =
        fredsim({"run", configuration("mesh"), "--trace", sample("barrier_8npus"), "--set", set});
    EXPECT_EQ(outcome.exit_code, 2) << set;
    EXPECT_NE(outcome.error.find(part), std::string::npos) << outcome.error;
  };
  refused("mesh.rows=33", "1 to 32");
  refused("switch.middle=3", "has no effect with system: mesh; it belongs to system: switch or tree");
  refused("collective.algorithm=in-network", "needs switches that reduce");
  refused("collective.dp=rings", "did you mean 'ring'?");
}

}  // namespace
}  // namespace fredsim::tb::test
