// Points that somebody else runs: `--list` and `--collect`.
#include <gtest/gtest.h>

#include <sstream>

#include "tb/tests/sweep/sweep_folder.h"

namespace fredsim::tb::test {
namespace {

/// The commands of --list; the folder's name has to be quoted.
std::vector<std::string> commands(const SweepFolder& folder, const std::string& out) {
  const Outcome listed = folder.run({"--list", "--out", out});
  EXPECT_EQ(listed.exit_code, 0) << listed.error;
  std::vector<std::string> lines;
  std::istringstream text(listed.out);
  for (std::string line; std::getline(text, line);) lines.push_back(line);
  return lines;
}

/// Three groups that m = 2 cannot route: those points fail.
void write_sweep(const SweepFolder& folder) {
  write_file(folder / "s.yaml", "config: " + single_switch() + "\ntrace: " + sample("four_groups_8npus") +
                                    "\nset: {switch.conflict: fail}\ncross:\n  switch.middle: [2, 3]\n"
                                    "  link.latency: [1.1 ns, 3.3 ns]\n");
}

TEST(Batch, CollectsWhatTheListedCommandsLeave) {
  const SweepFolder folder;
  write_sweep(folder);
  const std::vector<std::string> lines = commands(folder, "o u't");
  ASSERT_EQ(lines.size(), 4u);
  EXPECT_FALSE(std::filesystem::exists(folder / "o u't"));
  for (const std::string& line : lines) {
    const Outcome outcome = run_program("/bin/sh", {"-c", line}, "/");
    EXPECT_EQ(outcome.exit_code, 0) << outcome.error;
  }
  const Outcome collected = folder.run({"--collect", "o u't"});
  EXPECT_EQ(collected.exit_code, 3);
  EXPECT_NE(collected.out.find("2 ok, 2 failed"), std::string::npos) << collected.out;
  ASSERT_EQ(folder.run({"--out", "local"}).exit_code, 3);
  EXPECT_EQ(folder.content("o u't"), folder.content("local"));
  EXPECT_EQ(read_file(folder / "o u't/points.csv"), read_file(folder / "local/points.csv"));
}

TEST(Batch, WaitsForWhatIsMissing) {
  const SweepFolder folder;
  write_sweep(folder);
  const std::vector<std::string> lines = commands(folder, "o");
  ASSERT_EQ(lines.size(), 4u);
  run_program("/bin/sh", {"-c", lines[3]});
  const Outcome collected = folder.run({"--collect", "o"});
  EXPECT_EQ(collected.exit_code, 3);
  EXPECT_NE(collected.out.find("runs      1 now, 0 before; 1 ok, 3 not run"), std::string::npos)
      << collected.out;
  run_program("/bin/sh", {"-c", lines[2]});
  const Outcome more = folder.run({"--collect", "o"});
  EXPECT_NE(more.out.find("runs      1 now, 1 before; 2 ok, 2 not run"), std::string::npos) << more.out;
}

/// A search is collected too: all its candidates are listed.
TEST(Batch, ListsAllThatASearchCanNeed) {
  const SweepFolder folder;
  folder.sweep(
      "run: {data: false}\nfind: {minimize: buffer.dp, over: [8 KiB, 16 KiB, 24 KiB, 32 KiB], subject_to: "
      "algbw_gbytes_per_s >= 0.99 of best}\n",
      "single_switch");
  for (const std::string& line : commands(folder, "o")) run_program("/bin/sh", {"-c", line});
  const Outcome collected = folder.run({"--collect", "o"});
  EXPECT_EQ(collected.exit_code, 0) << collected.out << collected.error;
  EXPECT_EQ(folder.rows("SELECT value FROM answers"), std::vector<std::string>{"24 KiB"});
}

TEST(Batch, RefusesOptionsThatDoNotGoTogether) {
  const SweepFolder folder;
  write_sweep(folder);
  for (const std::vector<std::string>& arguments :
       std::vector<std::vector<std::string>>{{"--list", "--jobs", "2"},
                                             {"--list", "--resume"},
                                             {"--collect", "o", "--out", "p"},
                                             {"--collect", "o", "--engine", "local"},
                                             {"--engine", "pbs"},
                                             {"--slurm-option", "partition=x"}}) {
    const Outcome outcome = folder.run(arguments);
    EXPECT_EQ(outcome.exit_code, 2) << testing::PrintToString(arguments);
    EXPECT_NE(outcome.error, "");
  }
}

}  // namespace
}  // namespace fredsim::tb::test
