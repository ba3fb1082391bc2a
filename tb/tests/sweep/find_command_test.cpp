// What `find` finds, against the law of the buffers and against all points looked at one by one.
#include <gtest/gtest.h>

#include "tb/tests/sweep/sweep_folder.h"

namespace fredsim::tb::test {
namespace {

using Strings = std::vector<std::string>;

/// A channel of n packets sustains min(1, n s / (2L + s)) of a link, s = 4096 B / 3 TB/s = 1.365 ns: it takes
/// ceil((2L + s) / s) packets of 4 KiB, 3 at 1.1 ns, 6 at 3.3 ns, 10 at 6 ns.
TEST(Find, TheBufferOfTheWaferByBisection) {
  const SweepFolder folder;
  write_file(
      folder / "t.jsonl",
      "{\"format\":\"fredsim-trace\",\"version\":1,\"npus\":20,\"name\":\"wafer\"}\n"
      "{\"id\":\"a\",\"type\":\"all_reduce\",\"npus\":[0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19],"
      "\"bytes\":1048576}\n");
  folder.sweep(
      "run: {data: false}\ncross: {link.latency: [1.1 ns, 3.3 ns, 6 ns]}\nfind:\n  minimize: buffer.dp\n"
      "  over: {from: 4 KiB, to: 64 KiB, step: 4 KiB}\n  subject_to: algbw_gbytes_per_s >= 0.99 of best\n");
  const Outcome outcome = folder.run({"--out", "o", "--jobs", "2"});
  ASSERT_EQ(outcome.exit_code, 0) << outcome.error;
  EXPECT_EQ(
      folder.rows("SELECT combination, value, reason FROM answers"),
      (Strings{"link.latency 1.1 ns|12 KiB|", "link.latency 3.3 ns|24 KiB|", "link.latency 6 ns|40 KiB|"}));
  EXPECT_NE(outcome.out.find("link.latency 3.3 ns: buffer.dp 24 KiB (point "), std::string::npos)
      << outcome.out;
  // Sixteen sizes by bisection: two ends and four more, and the answer names them.
  EXPECT_EQ(folder.rows("SELECT count(*) FROM answer_points GROUP BY combination"), (Strings{"6", "6", "6"}));
  EXPECT_EQ(folder.rows("SELECT count(*) FROM points"), Strings{"18"});
  const std::string answers = "SELECT value FROM answers";
  const Outcome again = folder.run({"--out", "o", "--resume"});
  EXPECT_NE(again.out.find("runs      0 now, 18 before"), std::string::npos) << again.out;
  EXPECT_EQ(folder.rows(answers), (Strings{"12 KiB", "24 KiB", "40 KiB"}));
}

const char* const six_sizes =
    "run: {data: false}\ncross:\n  buffer.dp: {from: 4 KiB, to: 32 KiB, step: 4 KiB}\n  link.latency: [1.1 "
    "ns, 3.3 ns]\n";

TEST(Find, AmongThePointsOfASweep) {
  const SweepFolder folder;
  folder.sweep(std::string(six_sizes) +
                   "find:\n"
                   "- {minimize: buffer.dp, subject_to: algbw_gbytes_per_s >= 0.99 of best}\n"
                   "- {maximize: buffer.dp, subject_to: [buffer.dp < 20 KiB]}\n"
                   "- {pareto: [minimize buffer.dp, maximize algbw_gbytes_per_s]}\n"
                   "- {minimize: simulated_ns, subject_to: \"operations[0].end_ns < 0\"}\n"
                   "- {maximize: packets.nothing}\n",
               "single_switch");
  const Outcome outcome = folder.run({"--out", "o", "--jobs", "2"});
  ASSERT_EQ(outcome.exit_code, 0) << outcome.error;
  EXPECT_EQ(folder.rows("SELECT combination, value FROM answers WHERE goal = 1"),
            (Strings{"link.latency 1.1 ns|12 KiB", "link.latency 3.3 ns|24 KiB"}));
  EXPECT_EQ(folder.rows("SELECT value FROM answers WHERE goal = 2"), (Strings{"16 KiB", "16 KiB"}));
  EXPECT_EQ(folder.rows("SELECT point IS NULL, reason FROM answers WHERE goal = 4"),
            Strings{"1|no point keeps the condition"});
  EXPECT_EQ(folder.rows("SELECT reason FROM answers WHERE goal = 5"),
            Strings{"no point has a number for packets.nothing"});
  // The front by its definition, in SQL.
  const Strings front = folder.rows(
      "SELECT point FROM summary a WHERE NOT EXISTS (SELECT 1 FROM summary b WHERE b.\"buffer.dp_bytes\" <= "
      "a.\"buffer.dp_bytes\" AND b.algbw_gbytes_per_s >= a.algbw_gbytes_per_s AND (b.\"buffer.dp_bytes\" < "
      "a.\"buffer.dp_bytes\" OR b.algbw_gbytes_per_s > a.algbw_gbytes_per_s)) ORDER BY point");
  EXPECT_GE(front.size(), 3u);
  EXPECT_EQ(folder.rows("SELECT DISTINCT point FROM answers WHERE goal = 3 ORDER BY point"), front);
}

TEST(Find, SaysWhenNothingIsGoodEnough) {
  const SweepFolder folder;
  folder.sweep(
      "run: {data: false}\nfind: {minimize: buffer.dp, over: [4 KiB, 8 KiB, 12 KiB], subject_to: "
      "simulated_ns < 1 ns}\n",
      "single_switch");
  const Outcome outcome = folder.run({"--out", "o"});
  ASSERT_EQ(outcome.exit_code, 0) << outcome.error;
  EXPECT_NE(outcome.out.find(
                "no answer: none of the values tried keeps the condition, up to 12 KiB; from points 1, 2"),
            std::string::npos)
      << outcome.out;
}

/// Wanted large: the longest latency that 24 KiB still cover, by the same law 3.4 ns.
TEST(Find, TheLongestLatency) {
  const SweepFolder folder;
  folder.sweep(
      "run: {data: false}\nset: {buffer.dp: 24 KiB}\nfind:\n  maximize: link.latency\n"
      "  over: {from: 0.4 ns, to: 8.4 ns, step: 0.5 ns}\n  subject_to: max_utilization >= 0.95 of best\n",
      "single_switch");
  ASSERT_EQ(folder.run({"--out", "o"}).exit_code, 0);
  EXPECT_EQ(folder.rows("SELECT value FROM answers"), Strings{"3.4 ns"});
}

}  // namespace
}  // namespace fredsim::tb::test
