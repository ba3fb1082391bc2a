// Workloads at the end of simulated time, 9223 s.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "tb/tests/cli/program.h"

namespace fredsim::tb::test {
namespace {

/// `count` operations, each waiting for the one before, over links of 1 s: 2 s each from NPU to NPU.
Outcome run_chain(int count, const std::string& type) {
  const Folder folder;
  std::string trace = R"({"format":"fredsim-trace","version":1,"npus":8,"name":"chain"})"
                      "\n";
  for (int i = 0; i < count; ++i) {
    nlohmann::ordered_json line{
        {"id", "o" + std::to_string(i)}, {"type", type}, {"npus", {0, 1}}, {"bytes", 64}};
    if (type == "broadcast") line["root"] = i % 2;
    if (i > 0) line["after"] = {"o" + std::to_string(i - 1)};
    trace += line.dump() + "\n";
  }
  write_file(folder / "t.jsonl", trace);
  return fredsim({"run", single_switch(), "--set", "link.latency=1 s", "--trace", folder / "t.jsonl",
                  "--json", "-", "--no-data"});
}

TEST(Length, WhatSurelyTakesTooLongIsRefused) {
  const Outcome outcome = run_chain(5000, "all_reduce");
  EXPECT_EQ(outcome.exit_code, 2);
  EXPECT_EQ(outcome.out, "");
  // 9224 s are the first above 9223.37: operation 4611 is the 4612th.
  EXPECT_NE(outcome.error.find("t.jsonl:4613: operation \"o4611\" cannot end before 9224 s"),
            std::string::npos)
      << outcome.error;
}

TEST(Length, WhatIsJustShortEnoughRuns) {
  const Outcome outcome = run_chain(4611, "all_reduce");
  EXPECT_EQ(outcome.exit_code, 0) << outcome.error;
  EXPECT_NEAR(nlohmann::json::parse(outcome.out)["simulated_ns"].get<double>(), 9222e9, 1e6);
}

/// A member of a broadcast can end before the others have the data, so that it takes long is not known
/// before.
TEST(Length, WhatTurnsOutToTakeTooLongIsNotFinished) {
  const Outcome outcome = run_chain(5000, "broadcast");
  EXPECT_EQ(outcome.exit_code, 3);
  EXPECT_NE(outcome.error.find("NOT FINISHED: simulated time ends at 9223 s"), std::string::npos)
      << outcome.error;
  const auto result = nlohmann::json::parse(outcome.out);
  EXPECT_EQ(result["status"], "unfinished");
  EXPECT_GT(result["simulated_ns"], 9000e9);
  EXPECT_EQ(result["operations"][0]["end_ns"].get<double>() > 0, true);
  EXPECT_TRUE(result["operations"][4999]["end_ns"].is_null());
}

}  // namespace
}  // namespace fredsim::tb::test
