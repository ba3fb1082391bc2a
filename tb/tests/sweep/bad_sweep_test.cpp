// What a sweep file can have wrong: place, key, what is allowed; nothing runs.
#include <gtest/gtest.h>

#include <ostream>

#include "hw/core/error.h"
#include "tb/sweep/sweep.h"
#include "tb/tests/support/folder.h"

namespace fredsim::tb {
namespace {

struct Bad {
  const char* name;
  std::string text;                ///< below what every file begins with, three lines
  std::vector<std::string> words;  ///< in the message
};
std::ostream& operator<<(std::ostream& out, const Bad& bad) {
  return out << bad.name;
}

class BadSweep : public testing::TestWithParam<Bad> {};

TEST_P(BadSweep, IsRefused) {
  const test::Folder folder;
  test::write_file(folder / "c.yaml", "system: switch\n");
  test::write_file(folder / "t.jsonl",
                   "{\"format\":\"fredsim-trace\",\"version\":1,\"npus\":8,\"name\":\"t\"}\n"
                   "{\"id\":\"a\",\"type\":\"all_reduce\",\"npus\":[0,1],\"bytes\":64}\n");
  test::write_file(folder / "s.yaml", "name: n\nconfig: c.yaml\ntrace: t.jsonl\n" + GetParam().text);
  std::string message = "(accepted)";
  try {
    const SweepFile sweep = load_sweep(folder / "s.yaml");
    plan_sweep(sweep, "1");
  } catch (const hw::InputError& error) {
    message = error.what();
  }
  for (const std::string& word : GetParam().words)
    EXPECT_NE(message.find(word), std::string::npos) << word << " in: " << message;
}

INSTANTIATE_TEST_SUITE_P(
    Sweep, BadSweep,
    testing::Values(
        Bad{"unknown_key", "crosss: {}\n", {"s.yaml:4:1: crosss: unknown key", "'cross'"}},
        Bad{"doubled_key", "name: m\n", {"s.yaml:4:1: name: doubled"}},
        Bad{"unknown_parameter", "cross: {buffer.db: [1 B]}\n", {"s.yaml:4:9: cross.buffer.db", "buffer.dp"}},
        Bad{"group", "cross:\n  buffer: [1 B]\n", {"s.yaml:5:3: cross.buffer", "is a group"}},
        Bad{"single_value", "cross: {buffer.dp: 8 KiB}\n", {"s.yaml:4:20: cross.buffer.dp: a list", "set"}},
        Bad{"no_unit",
            "cross: {buffer.dp: [8 KiB, 24]}\n",
            {"s.yaml:4:28: cross.buffer.dp: '24' has no unit", "allowed"}},
        Bad{"out_of_range",
            "cross: {switch.middle: [1, 2]}\n",
            {"s.yaml:4:25: cross.switch.middle: '1' is out of range", "allowed: 2 to"}},
        Bad{"no_values", "cross: {buffer.dp: []}\n", {"cross.buffer.dp: there is no value"}},
        Bad{"doubled_value",
            "cross: {buffer.dp: [24 KiB, 24576 B]}\n",
            {"s.yaml:4:29: cross.buffer.dp: doubled: 24 KiB"}},
        Bad{"given_twice",
            "cross: {buffer.dp: [8 KiB]}\nset: {buffer.dp: 8 KiB}\n",
            {"s.yaml:5:7: set.buffer.dp: doubled"}},
        Bad{"trace_twice", "cross: {trace: [t.jsonl]}\n", {"s.yaml:4:9: trace: doubled"}},
        Bad{"uneven_zip",
            "zip: {buffer.dp: [8 KiB, 16 KiB], buffer.mp: [8 KiB]}\n",
            {"zip.buffer.mp: has 1 values and buffer.dp has 2"}},
        Bad{"range_keys",
            "cross: {buffer.dp: {from: 4 KiB, to: 8 KiB}}\n",
            {"one of step, factor and points"}},
        Bad{"range_typo",
            "cross: {buffer.dp: {from: 4 KiB, til: 8 KiB, step: 4 KiB}}\n",
            {"s.yaml:4:34: cross.buffer.dp.til: unknown key"}},
        Bad{"range_of_words",
            "cross: {switch.conflict: {from: 1, to: 2, step: 1}}\n",
            {"enumeration", "write a list"}},
        Bad{"too_small_buffer",
            "cross: {buffer.dp: [24 KiB, 2 KiB]}\n",
            {"s.yaml:4:29: buffer.dp: buffer.dp of 2 KiB cannot hold"}},
        Bad{"missing_trace_file",
            "cross: {seed: [1, 2]}\nschedule: none.json\n",
            {"s.yaml:5:11: schedule: system: tree, switch or mesh replays a trace"}},
        Bad{"set_list", "set: {buffer.dp: [8 KiB]}\n", {"s.yaml:4:18: set.buffer.dp", "cross or zip"}},
        Bad{"until", "run: {until: 20}\n", {"s.yaml:4:14: run.until", "unit"}},
        Bad{"no_answer_kind",
            "find: {subject_to: simulated_ns > 1}\n",
            {"find: one of minimize, maximize and pareto"}},
        Bad{"fixed_objective", "find: {minimize: buffer.dp}\n", {"buffer.dp does not vary"}},
        Bad{"unknown_result", "find: {minimize: simulated_n}\n", {"'simulated_n'", "simulated_ns"}},
        Bad{"no_comparison",
            "find: {minimize: simulated_ns, subject_to: simulated_ns}\n",
            {"compares nothing"}},
        Bad{"wrong_unit",
            "find: {minimize: simulated_ns, subject_to: simulated_ns < 3 KiB}\n",
            {"find.subject_to", "KiB"}},
        Bad{"search_without_condition",
            "find: {minimize: buffer.dp, over: [8 KiB, 16 KiB]}\n",
            {"subject_to is missing"}},
        Bad{"search_of_words",
            "find: {minimize: switch.conflict, over: [fail, block], subject_to: simulated_ns < 1}\n",
            {"needs numbers"}},
        Bad{"front_of_one", "find: {pareto: [minimize simulated_ns]}\n", {"find.pareto: two are due"}},
        Bad{"result_name",
            "results: {simulated_ns: \"operations[0].end_ns\"}\n",
            {"s.yaml:4:11: results.simulated_ns: doubled"}},
        Bad{"result_path",
            "results: {x: \"links[*].bytes\"}\n",
            {"s.yaml:4:14: results.x", "min, max, sum or mean"}},
        Bad{"column_name", "results: {\"a b\": simulated_ns}\n", {"is no name for a result"}},
        Bad{"too_many_points",
            "cross: {seed: {from: 1, to: 10000, step: 1}, switch.staging: {from: 1, to: 60, step: 1}}\n",
            {"more than 100000 points"}}),
    [](const auto& tested) { return std::string(tested.param.name); });

TEST(SweepFile, NeedsAConfiguration) {
  const test::Folder folder;
  test::write_file(folder / "s.yaml", "trace: t.jsonl\n");
  EXPECT_THROW(load_sweep(folder / "s.yaml"), hw::InputError);
  EXPECT_THROW(load_sweep(folder / "none.yaml"), hw::InputError);
  EXPECT_THROW(load_sweep(folder.path()), hw::InputError);
}

TEST(SweepFile, CrossesAndZips) {
  const test::Folder folder;
  test::write_file(folder / "c.yaml", "system: switch\n");
  test::write_file(folder / "t.jsonl",
                   "{\"format\":\"fredsim-trace\",\"version\":1,\"npus\":8,\"name\":\"t\"}\n"
                   "{\"id\":\"a\",\"type\":\"all_reduce\",\"npus\":[0,1],\"bytes\":64}\n");
  test::write_file(folder / "s.yaml",
                   "config: c.yaml\ntrace: t.jsonl\nset: {link: {latency: 2 ns}}\n"
                   "cross: {switch: {middle: [2, 3]}}\n"
                   "zip: [{buffer.dp: [8 KiB, 16 KiB], buffer.mp: [16 KiB, 32 KiB]}]\n");
  const SweepFile sweep = load_sweep(folder / "s.yaml");
  const SweepPlan plan = plan_sweep(sweep, "1");
  std::vector<std::string> names;
  for (const Point& point : plan.points) names.push_back(point.name());
  EXPECT_EQ(names, (std::vector<std::string>{"switch.middle 2, buffer.dp 8 KiB, buffer.mp 16 KiB",
                                             "switch.middle 2, buffer.dp 16 KiB, buffer.mp 32 KiB",
                                             "switch.middle 3, buffer.dp 8 KiB, buffer.mp 16 KiB",
                                             "switch.middle 3, buffer.dp 16 KiB, buffer.mp 32 KiB"}));
  EXPECT_NE(plan.points[0].command().find("--set 'link.latency=2 ns'"), std::string::npos)
      << plan.points[0].command();
}

/// The key of a point follows what the result follows: values, file contents and options, not names.
TEST(SweepFile, KeysFollowTheInputs) {
  const test::Folder folder;
  const auto key = [&](const std::string& trace, const std::string& rest) {
    test::write_file(folder / "s.yaml", "config: c.yaml\ntrace: " + trace + "\n" + rest);
    const SweepFile sweep = load_sweep(folder / "s.yaml");
    return plan_sweep(sweep, "1").points.at(0).key;
  };
  const std::string head = "{\"format\":\"fredsim-trace\",\"version\":1,\"npus\":8,\"name\":\"t\"}\n";
  const std::string line = "{\"id\":\"a\",\"type\":\"all_reduce\",\"npus\":[0,1],\"bytes\":64}\n";
  test::write_file(folder / "c.yaml", "system: switch\n");
  test::write_file(folder / "t.jsonl", head + line);
  test::write_file(folder / "same.jsonl", head + line);
  test::write_file(folder / "other.jsonl",
                   head + line + "{\"id\":\"b\",\"type\":\"barrier\",\"npus\":[0,1]}\n");
  const std::string first = key("t.jsonl", "");
  EXPECT_EQ(first, key("same.jsonl", ""));
  EXPECT_EQ(first, key("t.jsonl", "set: {buffer.dp: 24 KiB}\n"));  // the default
  EXPECT_NE(first, key("other.jsonl", ""));
  EXPECT_NE(first, key("t.jsonl", "set: {buffer.dp: 16 KiB}\n"));
  EXPECT_NE(first, key("t.jsonl", "run: {data: false}\n"));
}

}  // namespace
}  // namespace fredsim::tb
