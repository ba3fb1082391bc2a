// Chakra execution traces through the program: real ones, and one whose ranks contradict each other.
#include <gtest/gtest.h>

#include <cstdlib>
#include <nlohmann/json.hpp>

#include "tb/tests/cli/program.h"
#include "tb/tests/system/simulate.h"
#include "tb/tests/traces/chakra_writer.h"

namespace fredsim::tb::test {
namespace {

std::string shared_chakra() {
  const char* shared = std::getenv("FREDSIM_SHARED_DATA");
  return (shared ? std::string(shared) : source_path("../shared/data")) + "/chakra";
}

TEST(RealChakraTraces, RunWithRightData) {
  const std::string folder = shared_chakra();
  if (!std::filesystem::is_directory(folder)) {
    GTEST_SKIP() << folder << " is not there; FREDSIM_SHARED_DATA names the folder that holds chakra/";
  }
  int traces = 0;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    if (!entry.is_directory()) continue;
    const std::string name = entry.path().filename().string();
    const std::string prefix = entry.path().string() + "/" + name.substr(0, name.find('.'));
    SCOPED_TRACE(prefix);
    for (const std::string& config : {single_switch(), configuration("fred_d"), configuration("mesh")}) {
      const Outcome outcome = fredsim({"run", config, "--trace", prefix, "--json", "-", "--monitors"});
      ASSERT_EQ(outcome.exit_code, 0) << outcome.error;
      const auto result = nlohmann::json::parse(outcome.out);
      EXPECT_TRUE(is_right(result));
      EXPECT_GT(result["verified_elements"], 0);
    }
    ++traces;
  }
  EXPECT_GT(traces, 0);
}

// Two groups of the same two ranks; each rank begins with the other's last.
TEST(ChakraTrace, WithOppositeOrdersHangsAndSaysWhy) {
  using trace::testing::collective;
  using trace::testing::file_of;
  using trace::testing::groups;
  constexpr int all_reduce = 0;
  const std::string names = R"([{"pg_name":"left","ranks":[0,1]},{"pg_name":"right","ranks":[0,1]}])";
  const Folder folder;
  // Rank 1 takes the second first: data_deps order them.
  trace::testing::write_file(folder / "c.0.et",
                             file_of({groups(1, names), collective(2, all_reduce, 100000, "left"),
                                      collective(3, all_reduce, 100000, "right", {2})}));
  trace::testing::write_file(folder / "c.1.et",
                             file_of({groups(1, names), collective(2, all_reduce, 100000, "right"),
                                      collective(3, all_reduce, 100000, "left", {2})}));
  const Outcome outcome =
      fredsim({"run", single_switch(), "--trace", folder / "c", "--json", "-", "--monitors"});
  ASSERT_EQ(outcome.exit_code, 3) << outcome.error;
  const auto result = nlohmann::json::parse(outcome.out);
  EXPECT_EQ(result["status"], "unfinished");
  int collectives = 0;
  for (const auto& operation : result["operations"]) {
    if (operation["type"] != "all_reduce") continue;
    ++collectives;
    SCOPED_TRACE(operation.dump());
    EXPECT_TRUE(operation["end_ns"].is_null());
    std::vector<int> npus;
    for (const auto& waiting : result["waiting"]) {
      if (waiting["operation"] == operation["id"]) npus.push_back(waiting["npu"]);
    }
    EXPECT_EQ(npus, (std::vector<int>{0, 1})) << result["waiting"].dump(1);
  }
  EXPECT_EQ(collectives, 2);

  // Each rank waits for the other in what it has begun with.
  std::vector<std::string> reasons;
  for (const auto& waiting : result["waiting"]) {
    if (waiting["for"].get<std::string>().find("data from NPU") != std::string::npos) {
      reasons.push_back(waiting["operation"].get<std::string>() + " at " + waiting["npu"].dump() +
                        " waits for " + waiting["for"].get<std::string>());
    }
  }
  ASSERT_EQ(reasons.size(), 2u) << outcome.error;
  EXPECT_NE(reasons[0].find("left.0.coll at 0 waits for"), std::string::npos) << reasons[0];
  EXPECT_NE(reasons[0].find("data from NPU 1"), std::string::npos) << reasons[0];
  EXPECT_NE(reasons[1].find("right.0.coll at 1 waits for"), std::string::npos) << reasons[1];
  EXPECT_NE(reasons[1].find("data from NPU 0"), std::string::npos) << reasons[1];
}

}  // namespace
}  // namespace fredsim::tb::test
