// `fredsim sweep`: its points are what single runs give, whatever runs beside them; failures lose nothing
// else.
#include <gtest/gtest.h>
#include <signal.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <thread>

#include "tb/tests/sweep/sweep_folder.h"

namespace fredsim::tb::test {
namespace {

using Json = nlohmann::ordered_json;
using Strings = std::vector<std::string>;

TEST(Sweep, GivesWhatSingleRunsGive) {
  const SweepFolder folder;
  folder.sweep("cross: {buffer.dp: [8 KiB, 24 KiB]}\nset: {switch.middle: 2}\n", "single_switch");
  const Outcome outcome = folder.run({"--out", "o", "--jobs", "2"});
  ASSERT_EQ(outcome.exit_code, 0) << outcome.error;
  EXPECT_EQ(outcome.error, "");  // no progress bar in a pipe
  const std::vector<std::string> sizes = {"8KiB", "24KiB"};
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    const Outcome single = fredsim({"run", single_switch(), "--trace", "t.jsonl", "--set", "switch.middle=2",
                                    "--set", "buffer.dp=" + sizes[i], "--json", "r.json"},
                                   folder.path());
    ASSERT_EQ(single.exit_code, 0);
    const auto rows =
        folder.rows("SELECT r.json FROM results r JOIN points p ON p.id = r.point WHERE p.number = " +
                    std::to_string(i + 1));
    ASSERT_EQ(rows.size(), 1u);
    const Json expected = comparable(read_file(folder / "r.json"));
    EXPECT_EQ(Json::parse(rows[0]), expected);
    // The views read the same.
    EXPECT_EQ(folder.rows("SELECT count(*) FROM links WHERE point = " + std::to_string(i + 1)),
              Strings{std::to_string(expected["links"].size())});
    EXPECT_EQ(folder.rows("SELECT count(*) FROM buffers WHERE point = " + std::to_string(i + 1)),
              Strings{std::to_string(expected["buffers"].size())});
  }
  EXPECT_EQ(folder.rows("SELECT number, \"buffer.dp\", \"buffer.dp_bytes\", state, status FROM summary"),
            (Strings{"1|8 KiB|8192|done|ok", "2|24 KiB|24576|done|ok"}));
  const std::string csv = read_file(folder / "o/points.csv");
  EXPECT_EQ(csv.find("point,number,origin,buffer.dp,buffer.dp_bytes,state,status,reason,simulated_ns,"), 0u)
      << csv;
  EXPECT_EQ(std::count(csv.begin(), csv.end(), '\n'), 3);
}

// Files that a configuration names are beside it, wherever the sweep is.
TEST(Sweep, RunsSchedulesOnAWan) {
  const SweepFolder folder;
  for (const char* size : {"1MB", "4GB"}) {
    ASSERT_EQ(fredsim({"schedule", source_path("tb/configs/nine_city.yaml"), "--memory", size, "--json",
                       folder / (std::string(size) + ".json")})
                  .exit_code,
              0);
  }
  write_file(folder / "s.yaml",
             "config: " + configuration("wan9") + "\nrun: {data: false}\nset: {wan.update: 1 MB}\n" +
                 "cross:\n  schedule: [1MB.json, 4GB.json]\n  aggregator.memory: [100 KB, 40 MB]\n" +
                 "find:\n  - minimize: simulated_ns\n");
  const Outcome outcome = folder.run({"--out", "o", "--jobs", "2"});
  ASSERT_EQ(outcome.exit_code, 0) << outcome.error;
  EXPECT_EQ(folder.rows("SELECT count(*) FROM points WHERE state = 'done'"), Strings{"4"});
  const Outcome single =
      fredsim({"run", configuration("wan9"), "--schedule", "4GB.json", "--set", "wan.update=1 MB", "--set",
               "aggregator.memory=40 MB", "--no-data", "--json", "r.json"},
              folder.path());
  ASSERT_EQ(single.exit_code, 0) << single.error;
  const auto rows =
      folder.rows("SELECT r.json FROM results r JOIN points p ON p.id = r.point WHERE p.number = 4");
  ASSERT_EQ(rows.size(), 1u);
  EXPECT_EQ(Json::parse(rows[0]), comparable(read_file(folder / "r.json")));
}

// Two copies of the same coefficients are the same point; others are not.
TEST(Sweep, KnowsFilesByWhatIsInThem) {
  const SweepFolder folder;
  write_file(folder / "a.yaml", "adder:\n  clock_hz: 1e9\n");
  write_file(folder / "b.yaml", "adder:\n  clock_hz: 1e9\n");
  write_file(folder / "c.yaml", "adder:\n  clock_hz: 2e9\n");
  folder.sweep("cross: {cost.coefficients: [a.yaml, b.yaml, c.yaml, default]}\n", "single_switch");
  const Outcome outcome = folder.run({"--out", "o"});
  ASSERT_EQ(outcome.exit_code, 0) << outcome.error;
  EXPECT_EQ(folder.rows("SELECT count(*) FROM points WHERE state = 'done'"), Strings{"3"});
}

TEST(Sweep, DoesNotDependOnJobs) {
  const SweepFolder folder;
  folder.sweep(grid(3, 1, 2), "single_switch");
  ASSERT_EQ(folder.run({"--out", "one", "--jobs", "1"}).exit_code, 0);
  ASSERT_EQ(folder.run({"--out", "three", "--jobs", "3"}).exit_code, 0);
  EXPECT_EQ(folder.content("one"), folder.content("three"));
  EXPECT_EQ(read_file(folder / "one/points.csv"), read_file(folder / "three/points.csv"));
}

/// m = 2 cannot route the four groups of the sample, and is told to fail; the hang of the second trace is in
/// its orders.
TEST(Sweep, ListsFailuresAndKeepsTheRest) {
  const SweepFolder folder;
  folder.sweep("", "single_switch");
  write_file(folder / "s.yaml",
             "config: " + single_switch() + "\nset: {switch.conflict: fail}\ncross:\n  trace: [" +
                 sample("four_groups_8npus") + ", " +
                 source_path("docs/examples-data/opposite_orders.jsonl") + "]\n  switch.middle: [2, 3]\n");
  const Outcome outcome = folder.run({"--out", "o", "--jobs", "2"});
  EXPECT_EQ(outcome.exit_code, 3);
  EXPECT_NE(outcome.out.find("1 ok, 2 unfinished, 1 failed"), std::string::npos) << outcome.out;
  EXPECT_NE(outcome.out.find("failed    point 1, "), std::string::npos) << outcome.out;
  EXPECT_EQ(folder.rows("SELECT number, state, status, exit_code FROM points ORDER BY number"),
            (Strings{"1|failed||2", "2|done|ok|0", "3|done|unfinished|3", "4|done|unfinished|3"}));
  EXPECT_EQ(folder.rows("SELECT count(*) FROM failures"), Strings{"3"});
  const Strings reason = folder.rows("SELECT reason FROM failures WHERE number = 1");
  EXPECT_NE(reason.at(0).find("all_reduce0."), std::string::npos) << reason.at(0);
  // Those without a result are tried again, and only they.
  const Outcome again = folder.run({"--out", "o", "--jobs", "2", "--resume"});
  EXPECT_NE(again.out.find("runs      1 now, 3 before"), std::string::npos) << again.out;
}

TEST(Sweep, RunsEqualPointsOnce) {
  const SweepFolder folder;
  folder.sweep("zip: {data.dtype: [fp16, bf16, fp16], link.npu_bandwidth: [3 TB/s, 3 TB/s, 3000 GB/s]}\n",
               "single_switch");
  const Outcome zipped = folder.run({"--out", "zipped"});
  EXPECT_NE(zipped.out.find("runs      2 now"), std::string::npos) << zipped.out;
  std::filesystem::copy_file(folder / "t.jsonl", folder / "same.jsonl");
  write_file(folder / "s.yaml", "config: " + single_switch() + "\ncross: {trace: [t.jsonl, same.jsonl]}\n");
  const Outcome outcome = folder.run({"--out", "o"});
  ASSERT_EQ(outcome.exit_code, 0) << outcome.error;
  EXPECT_NE(outcome.out.find("runs      1 now"), std::string::npos) << outcome.out;
  EXPECT_NE(outcome.out.find("1 is the same as another"), std::string::npos) << outcome.out;
}

TEST(Sweep, GoesOnWithAnEditedFile) {
  const SweepFolder folder;
  folder.sweep("cross: {buffer.dp: [8 KiB, 16 KiB]}\n", "single_switch");
  ASSERT_EQ(folder.run({"--out", "o"}).exit_code, 0);
  folder.sweep("cross: {buffer.dp: [16 KiB, 32 KiB]}\nresults: {last: \"operations[0].end_ns\"}\n",
               "single_switch");
  const Outcome outcome = folder.run({"--out", "o", "--resume"});
  ASSERT_EQ(outcome.exit_code, 0) << outcome.error;
  EXPECT_NE(outcome.out.find("runs      1 now, 1 before"), std::string::npos) << outcome.out;
  EXPECT_EQ(folder.rows("SELECT number, \"buffer.dp\", last = simulated_ns FROM summary"),
            (Strings{"1|16 KiB|1", "2|32 KiB|1"}));
  EXPECT_EQ(folder.rows("SELECT count(*) FROM points"), Strings{"3"});
}

TEST(Sweep, RefusesBadInputBeforeAnything) {
  const SweepFolder folder;
  folder.sweep("cross: {buffer.dp: [8 KiB, 2 KiB]}\n", "single_switch");
  const Outcome outcome = folder.run({"--out", "o"});
  EXPECT_EQ(outcome.exit_code, 2);
  EXPECT_NE(outcome.error.find("s.yaml:3:28: buffer.dp: buffer.dp of 2 KiB cannot hold"), std::string::npos)
      << outcome.error;
  EXPECT_FALSE(std::filesystem::exists(folder / "o"));
  for (const char* jobs : {"0", "-1", "two", "5000"})
    EXPECT_EQ(folder.run({"--out", "o", "--jobs", jobs}).exit_code, 2) << jobs;
  write_file(folder / "file", "");
  folder.sweep("cross: {buffer.dp: [8 KiB]}\n", "single_switch");
  EXPECT_EQ(folder.run({"--out", "file"}).exit_code, 2);
  std::filesystem::create_directory(folder / "o");
  write_file(folder / "o/sweep.sqlite", std::string(5000, 'x'));
  EXPECT_EQ(folder.run({"--out", "o", "--resume"}).exit_code, 2);
}

/// Every table and view has its line in the guide, with every column by its name.
TEST(Sweep, HasTheTablesOfTheGuide) {
  const SweepFolder folder;
  folder.sweep("", "single_switch");
  ASSERT_EQ(folder.run({"--out", "o"}).exit_code, 0);
  const std::string guide = read_file(source_path("docs/sweep-database.md"));
  const Strings names = folder.rows(
      "SELECT name FROM sqlite_master WHERE type IN ('table', 'view') AND name NOT LIKE 'sqlite_%'");
  EXPECT_EQ(names.size(), 9u + 11u);
  for (const std::string& name : names) {
    const std::size_t begin = guide.find("\n| `" + name + "` |");
    ASSERT_NE(begin, std::string::npos) << name;
    // Up to the next table's line; one of several lines begins them with an empty cell.
    std::size_t end = guide.find("\n| `", begin + 1);
    if (end == std::string::npos) end = guide.size();
    const std::string lines = guide.substr(begin, end - begin);
    if (name == "summary") continue;  // its columns are the user's
    for (const std::string& column : folder.rows("SELECT name FROM pragma_table_info('" + name + "')"))
      EXPECT_NE(lines.find("`" + column + "`"), std::string::npos) << name << "." << column;
    EXPECT_GE(folder.rows("SELECT count(*) FROM " + name).size(), 1u);
  }
}

/// Processes whose command line has this text.
std::size_t processes_with(const std::string& text) {
  std::size_t count = 0;
  for (const auto& entry : std::filesystem::directory_iterator("/proc")) {
    std::ifstream file(entry.path() / "cmdline", std::ios::binary);
    const std::string words{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
    if (words.find(text) != std::string::npos) ++count;
  }
  return count;
}

TEST(Sweep, LeavesNoRunBehind) {
  const SweepFolder folder;
  // Long enough to be found at work.
  write_file(folder / "t.jsonl",
             "{\"format\":\"fredsim-trace\",\"version\":1,\"npus\":8,\"name\":\"long\"}\n"
             "{\"id\":\"a\",\"type\":\"all_reduce\",\"npus\":[0,1,2,3,4,5,6,7],\"bytes\":100000000000}\n");
  folder.sweep("run: {data: false}\n", "single_switch");
  const std::string out = folder / "o";
  for (const int signal : {SIGINT, SIGKILL}) {
    Background sweeping({"sweep", "s.yaml", "--out", out, "--resume"}, folder.path());
    while (sweeping.running() && processes_with(out + "/running") == 0)
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
    ASSERT_EQ(processes_with(out + "/running"), 1u);
    if (signal == SIGINT) {
      const Outcome second = folder.run({"--out", out, "--resume"});
      EXPECT_EQ(second.exit_code, 2);
      EXPECT_NE(second.error.find("another sweep is at work"), std::string::npos) << second.error;
    }
    EXPECT_EQ(sweeping.end(signal), signal == SIGINT ? 3 : 128 + SIGKILL);
    while (processes_with(out + "/running") > 0) std::this_thread::sleep_for(std::chrono::milliseconds(10));
    EXPECT_EQ(folder.rows("SELECT state FROM points"), Strings{"waiting"});
  }
}

}  // namespace
}  // namespace fredsim::tb::test
