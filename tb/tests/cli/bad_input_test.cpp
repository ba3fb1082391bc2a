// What a user can get wrong on the command line: exit code 2, the place and the reason on standard error,
// nothing on standard output, and no file made, changed or left behind.
#include <gtest/gtest.h>

#include <map>

#include "tb/tests/cli/program.h"

namespace fredsim::tb::test {
namespace {

struct BadInput {
  const char* name;
  std::vector<std::string> arguments;  ///< run in a folder with the files below; "RUN" stands for a good run
  std::vector<std::string> words;      ///< of the message
};

std::ostream& operator<<(std::ostream& out, const BadInput& bad) {
  return out << bad.name;
}

const char* const trace =
    "{\"format\":\"fredsim-trace\",\"version\":1,\"npus\":4,\"name\":\"t\"}\n"
    "{\"id\":\"a\",\"type\":\"all_reduce\",\"npus\":[0,1,2,3],\"bytes\":8192}\n";

std::string trace_with(const std::string& line, int npus = 4) {
  return "{\"format\":\"fredsim-trace\",\"version\":1,\"npus\":" + std::to_string(npus) +
         ",\"name\":\"t\"}\n" + line + "\n";
}

/// Everything in the folder, by name.
std::map<std::string, std::string> contents(const Folder& folder) {
  std::map<std::string, std::string> files;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder.path())) {
    files[entry.path().string()] = entry.is_regular_file() ? read_file(entry.path().string()) : "";
  }
  return files;
}

void fill(const Folder& folder) {
  write_file(folder / "c.yaml", "system: switch\n");
  write_file(folder / "t.jsonl", trace);
  write_file(folder / "old.json", "an older result\n");
  write_file(folder / "old.vcd", "an older waveform\n");
  std::filesystem::create_directory(folder / "folder");
  std::filesystem::create_directory(folder / "folder.vcd");
  write_file(folder / "empty.yaml", "");
  write_file(folder / "unknown.yaml", "system: switch\nswitch.prots: 8\n");
  write_file(folder / "bare.yaml", "system: switch\nlink.latency: 3.3\n");
  write_file(folder / "small.yaml", "system: switch\nbuffer.dp: 2 KiB\n");
  write_file(folder / "broken.yaml", "system: [switch\n");
  write_file(folder / "fail.yaml", "system: switch\nswitch: {middle: 2, conflict: fail}\n");
  write_file(folder / "two.yaml", "system: switch\nswitch.ports: 2\n");
  write_file(folder / "empty.jsonl", "");
  write_file(folder / "cut.jsonl", trace_with("{\"id\":\"a\",\"type\":\"all_reduce\",\"np"));
  write_file(folder / "binary.jsonl", std::string("\x00\xff\x13\x37", 4));
  write_file(folder / "outside.jsonl", trace_with("{\"id\":\"a\",\"type\":\"barrier\",\"npus\":[0,4]}"));
  write_file(folder / "nine.jsonl", trace_with("{\"id\":\"a\",\"type\":\"barrier\",\"npus\":[0,8]}", 9));
  write_file(
      folder / "load.jsonl",
      trace_with("{\"id\":\"a\",\"type\":\"load\",\"npus\":[0,1],\"bytes\":64,\"mode\":\"broadcast\"}"));
  write_file(
      folder / "ring.jsonl",
      trace_with(
          "{\"id\":\"a\",\"type\":\"all_reduce\",\"npus\":[0,1],\"bytes\":64,\"algorithm\":\"rings\"}"));
  write_file(folder / "conflict.jsonl",
             trace_with("{\"id\":\"a\",\"type\":\"all_reduce\",\"npus\":[0,2],\"bytes\":64}\n"
                        "{\"id\":\"b\",\"type\":\"all_reduce\",\"npus\":[1,5],\"bytes\":64}\n"
                        "{\"id\":\"c\",\"type\":\"all_reduce\",\"npus\":[3,4],\"bytes\":64}",
                        8));
  write_file(folder / "c.0.et", "\x02\x0a\x00");
}

class BadInputTest : public testing::TestWithParam<BadInput> {};

TEST_P(BadInputTest, IsRefused) {
  const Folder folder;
  fill(folder);
  std::vector<std::string> arguments;
  for (const std::string& argument : GetParam().arguments) {
    if (argument == "RUN") {
      arguments.insert(arguments.end(), {"run", "c.yaml", "--trace", "t.jsonl"});
    } else {
      arguments.push_back(argument);
    }
  }
  const auto before = contents(folder);
  const Outcome outcome = fredsim(arguments, folder.path());
  EXPECT_EQ(outcome.signal, 0);
  EXPECT_EQ(outcome.exit_code, 2);
  EXPECT_EQ(outcome.out, "");
  EXPECT_EQ(outcome.error.rfind("fredsim: error: ", 0), 0u) << outcome.error;
  EXPECT_EQ(outcome.error.back(), '\n');
  for (const std::string& word : GetParam().words) {
    EXPECT_NE(outcome.error.find(word), std::string::npos) << "no '" << word << "' in: " << outcome.error;
  }
  EXPECT_EQ(contents(folder), before);
}

std::string name_of(const testing::TestParamInfo<BadInput>& info) {
  return info.param.name;
}

INSTANTIATE_TEST_SUITE_P(
    Program, BadInputTest,
    testing::Values(BadInput{"no_command", {}, {"command"}}, BadInput{"unknown_command", {"rum"}, {"rum"}},
                    BadInput{"unknown_option_of_no_command", {"--jsno"}, {"--jsno"}},
                    BadInput{"option_before_command", {"--json", "r.json", "RUN"}, {"--json"}},
                    BadInput{"two_commands", {"RUN", "describe"}, {"describe"}},
                    BadInput{"a_command_twice", {"RUN", "RUN"}, {}},
                    BadInput{"trace_without_subcommand", {"trace"}, {}},
                    BadInput{"trace_of_unknown_subcommand", {"trace", "chekc"}, {"chekc"}}),
    name_of);

INSTANTIATE_TEST_SUITE_P(
    Run, BadInputTest,
    testing::Values(
        BadInput{"without_anything", {"run"}, {"CONFIG"}},
        BadInput{"without_a_trace", {"run", "c.yaml"}, {"--trace"}},
        BadInput{"without_a_configuration", {"run", "--trace", "t.jsonl"}, {"CONFIG"}},
        BadInput{"two_configurations", {"RUN", "c.yaml"}, {"c.yaml"}},
        BadInput{"two_traces", {"RUN", "--trace", "t.jsonl"}, {"--trace"}},
        BadInput{"unknown_option", {"RUN", "--jsno", "r.json"}, {"--jsno"}},
        BadInput{"short_option", {"RUN", "-j", "r.json"}, {"-j"}},
        BadInput{"flag_with_a_value", {"RUN", "--monitors=maybe"}, {"--monitors"}},
        BadInput{"trace_without_value", {"run", "c.yaml", "--trace"}, {"--trace"}},
        BadInput{"set_without_value", {"RUN", "--set"}, {"--set"}},
        BadInput{"seed_without_value", {"RUN", "--seed"}, {"--seed"}},
        BadInput{"json_without_value", {"RUN", "--json"}, {"--json"}},
        BadInput{"until_without_value", {"RUN", "--until"}, {"--until"}},
        BadInput{"vcd_without_value", {"RUN", "--vcd"}, {"--vcd"}},
        BadInput{"wave_without_value", {"RUN", "--vcd", "w.vcd", "--wave"}, {"--wave"}},
        BadInput{"wave_from_without_value", {"RUN", "--vcd", "w.vcd", "--wave-from"}, {"--wave-from"}},
        BadInput{"wave_to_without_value", {"RUN", "--vcd", "w.vcd", "--wave-to"}, {"--wave-to"}},
        BadInput{"wave_on_without_value", {"RUN", "--vcd", "w.vcd", "--wave-on"}, {"--wave-on"}},
        BadInput{"wave_last_without_value", {"RUN", "--vcd", "w.vcd", "--wave-last"}, {"--wave-last"}},
        BadInput{"wave_limit_without_value", {"RUN", "--vcd", "w.vcd", "--wave-limit"}, {"--wave-limit"}},
        BadInput{"an_option_as_a_value", {"RUN", "--json", "--monitors"}, {"--json", "--monitors"}},
        BadInput{"set_without_a_value", {"RUN", "--set", "seed"}, {"--set seed", "key=value"}},
        BadInput{"set_without_a_key", {"RUN", "--set", "=8"}, {"--set =8"}},
        BadInput{"set_of_an_unknown_key", {"RUN", "--set", "buffer.db=8 KiB"}, {"buffer.db", "buffer.dp"}},
        BadInput{"set_without_a_unit", {"RUN", "--set", "buffer.dp=8"}, {"buffer.dp", "unit"}},
        BadInput{"set_out_of_range", {"RUN", "--set", "switch.middle=9"}, {"switch.middle", "2 to 4"}},
        BadInput{"set_of_nothing", {"RUN", "--set", "switch.middle="}, {"switch.middle"}},
        BadInput{"set_twice", {"RUN", "--set", "seed=1", "--set", "seed=2"}, {"seed"}},
        BadInput{"seed_twice", {"RUN", "--seed", "1", "--set", "seed=2"}, {"seed"}},
        BadInput{"seed_of_letters", {"RUN", "--seed", "abc"}, {"seed", "abc"}},
        BadInput{"seed_with_a_fraction", {"RUN", "--seed", "1.5"}, {"seed", "1.5"}},
        BadInput{"seed_below_zero", {"RUN", "--seed", "-1"}, {"seed", "-1"}},
        BadInput{
            "seed_too_large", {"RUN", "--seed", "99999999999999999999"}, {"seed", "99999999999999999999"}},
        BadInput{
            "seed_beyond_its_range", {"RUN", "--seed", "9007199254740992"}, {"seed", "9007199254740991"}},
        BadInput{"seed_with_a_tail", {"RUN", "--seed", "7x"}, {"seed", "7x"}},
        BadInput{"until_without_a_unit", {"RUN", "--until", "10"}, {"--until 10", "unit"}},
        BadInput{"until_of_an_unknown_unit", {"RUN", "--until", "10 sec"}, {"--until", "sec"}},
        BadInput{"until_below_zero", {"RUN", "--until=-1us"}, {"--until"}},
        BadInput{"until_of_letters", {"RUN", "--until", "later"}, {"--until", "later"}},
        BadInput{"until_too_late", {"RUN", "--until", "100000 s"}, {"--until"}},
        BadInput{"until_of_nothing", {"RUN", "--until", ""}, {"--until"}},
        BadInput{"until_twice", {"RUN", "--until", "1us", "--until", "2us"}, {"--until"}},
        BadInput{"unwritable_json", {"RUN", "--json", "none/r.json"}, {"--json", "none/r.json"}},
        BadInput{"json_in_a_folder", {"RUN", "--json", "folder"}, {"--json", "folder"}},
        BadInput{"json_without_a_name", {"RUN", "--json", ""}, {"--json"}},
        BadInput{"json_over_the_trace", {"RUN", "--json", "t.jsonl"}, {"--json", "t.jsonl"}},
        BadInput{"json_over_the_configuration", {"RUN", "--json", "./c.yaml"}, {"--json", "c.yaml"}},
        BadInput{"one_file_for_both", {"RUN", "--vcd", "w.vcd", "--json", "w.vcd"}, {"--json", "w.vcd"}},
        BadInput{"json_over_the_layout", {"RUN", "--vcd", "w.vcd", "--json", "w.gtkw"}, {"--json", "w.gtkw"}},
        BadInput{"intervals_without_json", {"RUN", "--intervals", "1us"}, {"--intervals", "--json"}},
        BadInput{"intervals_of_no_time", {"RUN", "--intervals", "0ns", "--json", "r.json"}, {"--intervals"}},
        BadInput{
            "intervals_without_a_unit", {"RUN", "--intervals", "1", "--json", "r.json"}, {"--intervals 1"}},
        BadInput{"missing_configuration", {"run", "none.yaml", "--trace", "t.jsonl"}, {"none.yaml"}},
        BadInput{"configuration_is_a_folder", {"run", "folder", "--trace", "t.jsonl"}, {"folder"}},
        BadInput{"empty_configuration", {"run", "empty.yaml", "--trace", "t.jsonl"}, {"empty.yaml"}},
        BadInput{"unknown_key",
                 {"run", "unknown.yaml", "--trace", "t.jsonl"},
                 {"unknown.yaml:2:1", "switch.ports"}},
        BadInput{"bare_number", {"run", "bare.yaml", "--trace", "t.jsonl"}, {"bare.yaml:2:15", "unit"}},
        BadInput{"buffer_below_a_packet", {"run", "small.yaml", "--trace", "t.jsonl"}, {"small.yaml:2:12"}},
        BadInput{"broken_yaml", {"run", "broken.yaml", "--trace", "t.jsonl"}, {"broken.yaml:"}}),
    name_of);

INSTANTIATE_TEST_SUITE_P(
    Trace, BadInputTest,
    testing::Values(
        BadInput{"missing", {"run", "c.yaml", "--trace", "none.jsonl"}, {"none.jsonl", "no such"}},
        BadInput{"is_a_folder", {"run", "c.yaml", "--trace", "folder"}, {"folder"}},
        BadInput{"without_a_name", {"run", "c.yaml", "--trace", ""}, {"trace"}},
        BadInput{"empty", {"run", "c.yaml", "--trace", "empty.jsonl"}, {"empty.jsonl"}},
        BadInput{"cut_off", {"run", "c.yaml", "--trace", "cut.jsonl"}, {"cut.jsonl:2"}},
        BadInput{"of_binary_data", {"run", "c.yaml", "--trace", "binary.jsonl"}, {"binary.jsonl:1"}},
        BadInput{"npu_outside",
                 {"run", "c.yaml", "--trace", "outside.jsonl"},
                 {"outside.jsonl:2", "NPU 4", "\"a\""}},
        BadInput{
            "more_npus_than_ports", {"run", "c.yaml", "--trace", "nine.jsonl"}, {"nine.jsonl", "9", "8"}},
        BadInput{"too_few_ports", {"run", "two.yaml", "--trace", "t.jsonl"}, {"t.jsonl", "4", "2"}},
        BadInput{"load_without_controllers",
                 {"run", "c.yaml", "--trace", "load.jsonl"},
                 {"load.jsonl:2", "\"a\""}},
        BadInput{"unknown_algorithm", {"run", "c.yaml", "--trace", "ring.jsonl"}, {"ring.jsonl:2", "ring"}},
        BadInput{"flows_that_conflict",
                 {"run", "fail.yaml", "--trace", "conflict.jsonl"},
                 {"conflict.jsonl", "\"c\""}},
        BadInput{"one_rank_of_a_chakra_trace", {"run", "c.yaml", "--trace", "c.0.et"}, {"c.0.et", "prefix"}},
        BadInput{"broken_chakra_trace", {"run", "c.yaml", "--trace", "c"}, {"c.0.et"}},
        BadInput{"refused_after_outputs_opened",
                 {"run", "c.yaml", "--trace", "load.jsonl", "--json", "old.json", "--vcd", "old.vcd"},
                 {"load.jsonl:2"}},
        BadInput{"check_of_nothing", {"trace", "check"}, {"FILE"}},
        BadInput{"check_without_config", {"trace", "check", "t.jsonl", "--config"}, {"--config"}},
        BadInput{"info_of_a_missing_file", {"trace", "info", "none.jsonl"}, {"none.jsonl"}},
        BadInput{"info_unwritable", {"trace", "info", "t.jsonl", "--json", "none/i.json"}, {"--json"}},
        BadInput{"import_of_nothing", {"trace", "import", "none", "-o", "i.jsonl"}, {"none"}},
        BadInput{"import_without_output", {"trace", "import", "c"}, {"-o"}},
        BadInput{"import_of_a_broken_one", {"trace", "import", "c", "-o", "i.jsonl"}, {"c.0.et"}},
        BadInput{"generate_of_nothing", {"trace", "generate"}, {}},
        BadInput{"generate_of_an_unknown_pattern", {"trace", "generate", "alreduce"}, {"alreduce"}}),
    name_of);

INSTANTIATE_TEST_SUITE_P(
    Wave, BadInputTest,
    testing::Values(
        BadInput{"unwritable", {"RUN", "--vcd", "none/w.vcd"}, {"none/w.vcd"}},
        BadInput{"in_a_folder", {"RUN", "--vcd", "folder.vcd"}, {"folder.vcd"}},
        BadInput{"of_an_unknown_kind", {"RUN", "--vcd", "w.txt"}, {"w.txt", ".vcd", ".fst"}},
        BadInput{"without_a_name", {"RUN", "--vcd", ""}, {".vcd"}},
        BadInput{"selects_nothing", {"RUN", "--vcd", "w.vcd", "--wave", "swich.*"}, {"swich.*"}},
        BadInput{"one_of_two_selects_nothing",
                 {"RUN", "--vcd", "w.vcd", "--json", "old.json", "--wave", "switch.*", "--wave", "npu9.*"},
                 {"npu9.*"}},
        BadInput{"empty_glob", {"RUN", "--vcd", "w.vcd", "--wave", ""}, {"''"}},
        BadInput{"glob_without_file", {"RUN", "--wave", "*"}, {"--vcd"}},
        BadInput{"window_without_file", {"RUN", "--wave-from", "1ns"}, {"--vcd"}},
        BadInput{"from_without_a_unit", {"RUN", "--vcd", "w.vcd", "--wave-from", "1"}, {"--wave-from 1"}},
        BadInput{"to_below_zero", {"RUN", "--vcd", "w.vcd", "--wave-to=-1ns"}, {"--wave-to"}},
        BadInput{"to_before_from",
                 {"RUN", "--vcd", "w.vcd", "--wave-from", "2ns", "--wave-to", "1ns"},
                 {"2 ns", "1 ns"}},
        BadInput{"last_of_letters", {"RUN", "--vcd", "w.vcd", "--wave-last", "some"}, {"--wave-last"}},
        BadInput{"limit_of_a_time", {"RUN", "--vcd", "w.vcd", "--wave-limit", "1ns"}, {"--wave-limit"}},
        BadInput{"on_an_unknown_operation", {"RUN", "--vcd", "w.vcd", "--wave-on", "op:b"}, {"op:b"}},
        BadInput{"on_an_unknown_event", {"RUN", "--vcd", "w.vcd", "--wave-on", "start"}, {"start"}},
        BadInput{"on_a_stall_of_no_time",
                 {"RUN", "--vcd", "w.vcd", "--wave-on", "stall:long"},
                 {"--wave-on", "stall:", "long"}}),
    name_of);

INSTANTIATE_TEST_SUITE_P(
    Route, BadInputTest,
    testing::Values(
        BadInput{"without_anything", {"route"}, {"--ports"}},
        BadInput{"no_flows", {"route", "--ports", "8", "--middle", "2"}, {"--flow"}},
        BadInput{"ports_without_value", {"route", "--middle", "3", "--flow", "0>1", "--ports"}, {"--ports"}},
        BadInput{"flow_without_value", {"route", "--middle", "3", "--ports", "8", "--flow"}, {"--flow"}},
        BadInput{"too_many_ports",
                 {"route", "--middle", "3", "--ports", "65", "--flow", "0>1"},
                 {"--ports", "64"}},
        BadInput{"no_ports", {"route", "--middle", "3", "--ports", "0", "--flow", "0>1"}, {"--ports"}},
        BadInput{
            "ports_below_zero", {"route", "--middle", "3", "--ports", "-8", "--flow", "0>1"}, {"--ports"}},
        BadInput{
            "ports_of_letters", {"route", "--middle", "3", "--ports", "eight", "--flow", "0>1"}, {"--ports"}},
        BadInput{"middle_of_one", {"route", "--ports", "8", "--middle", "1", "--flow", "0>1"}, {"--middle"}},
        BadInput{"port_99", {"route", "--middle", "3", "--ports", "8", "--flow", "0,99>1"}, {"0,99>1", "99"}},
        BadInput{"port_in_two_flows",
                 {"route", "--middle", "3", "--ports", "8", "--flow", "0,1>2", "--flow", "1>3"},
                 {"1>3"}},
        BadInput{"output_in_two_flows",
                 {"route", "--middle", "3", "--ports", "8", "--flow", "0>2", "--flow", "1>2"},
                 {"1>2"}},
        BadInput{"port_twice", {"route", "--middle", "3", "--ports", "8", "--flow", "0,0>1"}, {"0,0>1"}},
        BadInput{
            "flow_without_outputs", {"route", "--middle", "3", "--ports", "8", "--flow", "0,1>"}, {"0,1>"}},
        BadInput{"flow_without_inputs", {"route", "--middle", "3", "--ports", "8", "--flow", ">1"}, {">1"}},
        BadInput{"flow_without_arrow", {"route", "--middle", "3", "--ports", "8", "--flow", "0,1"}, {"0,1"}},
        BadInput{"flow_of_letters", {"route", "--middle", "3", "--ports", "8", "--flow", "a>b"}, {"a>b"}},
        BadInput{"empty_flow", {"route", "--middle", "3", "--ports", "8", "--flow", ""}, {"--flow"}},
        BadInput{"unknown_policy",
                 {"route", "--middle", "3", "--ports", "8", "--flow", "0>1", "--policy", "pray"},
                 {"pray"}},
        BadInput{"unwritable_json",
                 {"route", "--middle", "3", "--ports", "8", "--flow", "0>1", "--json", "none/r.json"},
                 {"--json"}},
        BadInput{"unwritable_dot",
                 {"route", "--middle", "3", "--ports", "8", "--flow", "0>1", "--dot", "none/r.dot"},
                 {"--dot"}},
        BadInput{"refused_after_outputs_opened",
                 {"route", "--middle", "3", "--ports", "8", "--flow", "0>9", "--json", "old.json", "--dot",
                  "r.dot"},
                 {"0>9"}}),
    name_of);

INSTANTIATE_TEST_SUITE_P(
    Describe, BadInputTest,
    testing::Values(
        BadInput{"missing_configuration", {"describe", "none.yaml"}, {"none.yaml"}},
        BadInput{"unknown_key", {"describe", "unknown.yaml"}, {"unknown.yaml:2:1"}},
        BadInput{"json_without_value", {"describe", "c.yaml", "--json"}, {"--json"}},
        BadInput{"unwritable_json", {"describe", "c.yaml", "--json", "none/d.json"}, {"none/d.json"}},
        BadInput{"trace_without_configuration", {"describe", "--trace", "t.jsonl"}, {"CONFIG"}},
        BadInput{"trace_that_cannot_run", {"describe", "c.yaml", "--trace", "cut.jsonl"}, {"cut.jsonl:2"}},
        BadInput{"unknown_option", {"describe", "c.yaml", "--verbose"}, {"--verbose"}},
        BadInput{"two_configurations", {"describe", "c.yaml", "c.yaml"}, {"c.yaml"}}),
    name_of);

}  // namespace
}  // namespace fredsim::tb::test
