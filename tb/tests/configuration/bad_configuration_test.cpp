#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <ostream>
#include <string>
#include <vector>

#include "hw/core/error.h"
#include "tb/configuration/configuration.h"

namespace fredsim::tb {
namespace {

using Strings = std::vector<std::string>;

/// A configuration that cannot be used, and what the message must begin with and contain.
struct Bad {
  const char* name;
  std::string text;
  Strings sets;
  std::string place;  ///< how a line of the message begins
  Strings words;
};

void PrintTo(const Bad& bad, std::ostream* out) {
  *out << bad.name;
}

std::string message_of(const std::string& text, const Strings& sets) {
  try {
    parse_configuration(text, "c.yaml", sets);
  } catch (const hw::InputError& error) {
    return error.what();
  }
  return "(accepted)";
}

/// The configuration every value below is put into.
Bad value(const char* name, const std::string& line, const std::string& place_and_key, const Strings& words) {
  return {name, "system: switch\n" + line + "\n", {}, "c.yaml:2:" + place_and_key, words};
}
Bad set(const char* name, const Strings& sets, const std::string& place, const Strings& words) {
  return {name, "system: switch\nseed: 2\n", sets, place, words};
}

Bad tree(const char* name, const std::string& line, const std::string& place_and_key, const Strings& words) {
  return {name, "system: tree\n" + line + "\n", {}, "c.yaml:2:" + place_and_key, words};
}

const std::vector<Bad>& bad_configurations() {
  static const std::vector<Bad> all{
      // The file as a whole
      {"empty_file", "", {}, "c.yaml:1:1: ", {"the file is empty", "mapping"}},
      {"only_comments", "# nothing here\n\n", {}, "c.yaml:1:1: ", {"the file is empty"}},
      {"empty_document", "---\n", {}, "c.yaml:1:1: ", {"the file is empty"}},
      {"root_is_list", "- system: switch\n", {}, "c.yaml:1:1: ", {"mapping of keys to values"}},
      {"root_is_flow_list", "[1, 2]\n", {}, "c.yaml:1:1: ", {"mapping of keys to values"}},
      {"root_is_word", "switch\n", {}, "c.yaml:1:1: ", {"mapping of keys to values"}},
      {"two_documents", "system: switch\n---\nseed: 2\n", {}, "c.yaml:2:1: ", {"second document"}},
      {"not_utf8", "system: switch\n# caf\xe9\n", {}, "c.yaml:2:6: ", {"0xe9", "UTF-8"}},
      {"utf16", std::string("\xff\xfes\0y\0", 6), {}, "c.yaml:1:1: ", {"0xff", "UTF-8"}},
      {"nul_byte",
       std::string("system: switch\nse\0ed: 1\n", 24),
       {},
       "c.yaml:2:3: ",
       {"control character 0x00"}},
      // yaml-cpp takes this byte for the end of the file.
      {"end_of_transmission",
       "system: switch\n\x04seed: 1\n",
       {},
       "c.yaml:2:1: ",
       {"control character 0x04"}},
      {"tab_indentation", "system: switch\nswitch:\n\tports: 8\n", {}, "c.yaml:3:2: ", {"tab", "spaces"}},
      {"tab_after_spaces", "system: switch\nswitch:\n  \tports: 8\n", {}, "c.yaml:3:4: ", {"tab", "spaces"}},
      {"syntax_unclosed_mapping",
       "system: switch\nlink: {latency: 1 ns\n",
       {},
       "c.yaml:3:1: ",
       {"YAML syntax error"}},
      {"unclosed_quote", "system: \"switch\nseed: 1\n", {}, "c.yaml:1:9: ", {"quote \" is not closed"}},
      {"unclosed_escaped_quote", "system: \"switch\\\"\n", {}, "c.yaml:1:9: ", {"quote \" is not closed"}},
      {"unclosed_doubled_quote", "system: 'it''s\n", {}, "c.yaml:1:9: ", {"quote ' is not closed"}},
      {"unclosed_single_quote",
       "\xef\xbb\xbfsystem: switch\nseed: '1\n",
       {},
       "c.yaml:2:7: ",
       {"quote ' is not closed"}},
      {"syntax_indentation", "system: switch\n  seed: 1\n", {}, "c.yaml:2:7: ", {"YAML syntax error"}},
      {"syntax_reserved_character", "system: @switch\n", {}, "c.yaml:1:9: ", {"YAML syntax error"}},
      {"anchor", "system: &kind switch\n", {}, "c.yaml:1:9: ", {"anchor 'kind'", "write the value out"}},
      {"alias", "link: &all {latency: 1 ns}\nsystem: *all\n", {}, "c.yaml:1:7: ", {"anchor 'all'"}},
      {"unknown_alias", "system: *kind\n", {}, "c.yaml:1:9: ", {"anchor"}},
      {"merge_key", "system: switch\n<<: {seed: 1}\n", {}, "c.yaml:2:1: ", {"merge keys"}},
      {"tag", "system: !mine switch\n", {}, "c.yaml:1:9: ", {"tag '!mine'"}},
      {"standard_tag", "system: !!str switch\n", {}, "c.yaml:1:9: ", {"tags are not allowed"}},
      {"list_as_key", "system: switch\n? [a, b]\n: c\n", {}, "c.yaml:2:3: ", {"a list cannot be a key"}},
      {"mapping_as_key",
       "system: switch\n? {a: b}\n: c\n",
       {},
       "c.yaml:2:3: ",
       {"a mapping cannot be a key"}},
      {"no_key", "system: switch\n: 1\n", {}, "c.yaml:2:1: ", {"key is missing"}},

      // Keys
      {"system_missing",
       "seed: 1\n",
       {},
       "c.yaml:1:1: system: ",
       {"required", "allowed: switch, tree, mesh, wan"}},
      {"system_ring",
       "system: ring\n",
       {},
       "c.yaml:1:9: system: ",
       {"'ring' is not available", "allowed: switch, tree, mesh, wan"}},
      {"system_typo", "system: swich\n", {}, "c.yaml:1:9: system: ", {"did you mean 'switch'?"}},
      {"system_in_capitals", "system: Switch\n", {}, "c.yaml:1:9: system: ", {"did you mean 'switch'?"}},
      value("unknown_key", "throughput: 3 TB/s", "1: throughput: ", {"unknown key", "link", "buffer"}),
      value("misspelled_key", "switch.prots: 8", "1: switch.prots: ", {"unknown key", "'switch.ports'"}),
      value("misspelled_nested", "switch: {prots: 8}",
            "10: switch.prots: ", {"unknown key", "'switch.ports'"}),
      value("misspelled_group", "buffers: {dp: 24 KiB}", "1: buffers: ", {"unknown key", "'buffer'"}),
      value("topic_left_out", "middle: 3", "1: middle: ", {"unknown key", "'switch.middle'"}),
      value("unknown_in_group", "packet.colour: 3", "1: packet.colour: ",
            {"unknown key", "known in packet: packet.bytes, packet.header, packet.control"}),
      value("unknown_dotted_key", "cluster.nodes: 4", "1: cluster.nodes: ", {"unknown key"}),
      value("unprintable_key", "\"a\\nb\": 4", "1: 'a\\x0ab': ", {"unknown key"}),
      value("empty_key", "\"\": 4", "1: '': ", {"unknown key"}),
      value("group_without_entries", "buffer:", "1: buffer: ", {"group of parameters", "buffer.mp"}),
      value("group_with_value", "buffer: 24 KiB",
            "1: buffer: ", {"group of parameters", "buffer.npu.dp", "buffer.lK.down.dp"}),
      value("subgroup_with_value", "link.npu: 3 TB/s",
            "1: link.npu: ", {"group of parameters", "link.npu.latency"}),
      {"doubled_key",
       "system: switch\nseed: 1\nseed: 1\n",
       {},
       "c.yaml:3:1: seed: ",
       {"doubled", "c.yaml:2:1"}},
      {"doubled_nested_and_dotted",
       "system: switch\nlink:\n  latency: 1 ns\nlink.latency: 1 ns\n",
       {},
       "c.yaml:4:1: link.latency: ",
       {"doubled", "c.yaml:3:3"}},
      {"doubled_after_bad_value",
       "system: switch\nseed: x\nseed: 1\n",
       {},
       "c.yaml:3:1: seed: ",
       {"doubled"}},
      {"doubled_mapping",
       "system: switch\nlink: {latency: 1 ns}\nlink: {npu_bandwidth: 1 TB/s}\n",
       {},
       "c.yaml:3:1: link: ",
       {"doubled"}},

      // Values
      value("time_without_unit", "link.latency: 3.3",
            "15: link.latency: ", {"'3.3' has no unit", "ns", "0 ns to 1 s"}),
      value("bytes_without_unit", "packet.bytes: 4096", "15: packet.bytes: ", {"'4096' has no unit", "KiB"}),
      value("capacity_without_unit", "buffer.dp: 24576", "12: buffer.dp: ", {"no unit", "KiB", "unlimited"}),
      value("bandwidth_without_unit", "link.npu_bandwidth: 3e12",
            "21: link.npu_bandwidth: ", {"no unit", "TB/s"}),
      value("wrong_unit", "link.latency: 3 KiB", "15: link.latency: ", {"unit 'KiB'", "ns"}),
      value("misspelled_unit", "buffer.dp: 24 Kib", "12: buffer.dp: ", {"unit 'Kib'", "'KiB'"}),
      value("unit_of_a_rate", "link.npu_bandwidth: 3 TB",
            "21: link.npu_bandwidth: ", {"unit 'TB'", "'TB/s'"}),
      value("negative_time", "link.latency: -3.3 ns", "15: link.latency: ", {"negative"}),
      value("nan_time", "link.latency: .nan ns", "15: link.latency: ", {"'.nan ns'"}),
      value("fraction_of_a_byte", "packet.header: 0.5 B",
            "16: packet.header: ", {"not a whole number of bytes"}),
      value("huge_time", "link.latency: 1e30 s", "15: link.latency: ", {"too large"}),
      value("huge_capacity", "buffer.dp: 99999999999 TiB", "12: buffer.dp: ", {"too large"}),
      value("zero_bandwidth", "link.npu_bandwidth: 0 TB/s", "21: link.npu_bandwidth: ", {"zero"}),
      value("time_out_of_range", "link.latency: 2 s", "15: link.latency: ", {"out of range", "0 ns to 1 s"}),
      value("bandwidth_out_of_range", "link.npu_bandwidth: 1 B/s",
            "21: link.npu_bandwidth: ", {"out of range", "1 MB/s"}),
      value("unlimited_packet", "packet.bytes: unlimited", "15: packet.bytes: ", {"'unlimited'"}),
      value("integer_with_unit", "switch.ports: 8 ports", "15: switch.ports: ", {"takes no unit", "2 to 64"}),
      value("integer_with_fraction", "switch.ports: 2.9",
            "15: switch.ports: ", {"not a whole number", "2 to 64"}),
      value("integer_negative", "switch.ports: -1", "15: switch.ports: ", {"negative", "2 to 64"}),
      value("integer_too_large", "seed: 18446744073709551616", "7: seed: ", {"too large"}),
      value("integer_above_range", "switch.ports: 65", "15: switch.ports: ", {"out of range", "2 to 64"}),
      value("integer_below_range", "switch.ports: 1", "15: switch.ports: ", {"out of range", "2 to 64"}),
      value("integer_word", "switch.ports: eight", "15: switch.ports: ", {"not a whole number"}),
      value("integer_hexadecimal", "switch.ports: 0x10", "15: switch.ports: ", {"not a whole number"}),
      value("integer_in_quotes", "switch.ports: \"8\"", "15: switch.ports: ", {"leave the quotes out"}),
      value("integer_block_text", "switch.ports: |\n  8", "15: switch.ports: ", {"text, not a number"}),
      value("integer_null", "switch.ports:", "1: switch.ports: ", {"there is no value", "integer (ports)"}),
      value("integer_tilde", "switch.ports: ~", "1: switch.ports: ", {"there is no value"}),
      value("integer_list", "switch.ports: [8]", "15: switch.ports: ", {"a list", "one value"}),
      value("integer_mapping", "switch.ports: {a: 8}", "15: switch.ports: ", {"a mapping", "one value"}),
      value("list_with_mappings", "seed: [{a: [1, {b: 2}]}, 3]", "7: seed: ", {"a list"}),
      value("no_middle_switch", "switch.middle: 1", "16: switch.middle: ", {"out of range", "2 to 4"}),
      value("no_staging", "switch.staging: 0", "17: switch.staging: ", {"out of range", "1 to 64"}),
      value("real_nan", "npu.flops: nan", "12: npu.flops: ", {"not a number"}),
      value("real_yaml_nan", "npu.flops: .nan", "12: npu.flops: ", {"not a number"}),
      value("real_infinite", "npu.flops: inf", "12: npu.flops: ", {"not a number"}),
      value("real_overflow", "npu.flops: 1e999", "12: npu.flops: ", {"too large"}),
      value("real_zero", "npu.flops: 0", "12: npu.flops: ", {"out of range", "1e6 to 1e21"}),
      value("real_with_unit", "npu.flops: 989 TFLOP/s", "12: npu.flops: ", {"takes no unit"}),
      value("boolean_yes", "switch.preemption: yes", "20: switch.preemption: ", {"neither true nor false"}),
      value("boolean_number", "switch.preemption: 1", "20: switch.preemption: ", {"allowed: true, false"}),
      value("boolean_in_quotes", "switch.preemption: 'true'",
            "20: switch.preemption: ", {"leave the quotes out"}),
      value("enumeration_typo", "switch.abstraction: microswich",
            "21: switch.abstraction: ", {"did you mean 'microswitch'?", "allowed: microswitch, switch"}),
      value("enumeration_number", "data.dtype: 16", "13: data.dtype: ", {"allowed: fp16, bf16, fp32, int32"}),
      value("unknown_policy", "switch.conflict: turn",
            "18: switch.conflict: ", {"allowed: fail, block, decompose"}),

      // Values that are each right, but not together
      value("buffer_below_packet", "buffer.dp: 2 KiB", "12: buffer.dp: ", {"packet.bytes", "4 KiB"}),
      value("class_buffer_below_packet", "buffer: {l1: {down.mp: 4095 B}}",
            "24: buffer.l1.down.mp: ", {"packet.bytes", "4 KiB"}),
      value("control_below_packet", "buffer.npu.control: 511 B",
            "21: buffer.npu.control: ", {"packet.control", "512 B"}),
      value("packet_above_buffers", "packet.bytes: 64 KiB", "15: packet.bytes: ", {"24 KiB", "buffer.mp"}),
      value("control_packet_above_buffers", "packet.control: 4 KiB",
            "17: packet.control: ", {"buffer.control", "2 KiB"}),
      value("header_fills_packet", "packet.header: 4 KiB", "16: packet.header: ", {"less than packet.bytes"}),
      value("no_room_for_element", "packet.bytes: 9 B", "15: packet.bytes: ", {"3 B of data", "needs 4 B"}),
      value("header_above_control", "packet.control: 5 B",
            "17: packet.control: ", {"at least packet.header"}),
      {"combination_across_places",
       "system: switch\npacket.bytes: 8 KiB\n",
       {"buffer.pp=4 KiB"},
       "--set buffer.pp=4 KiB: buffer.pp: ",
       {"8 KiB"}},

      // Trees
      value("tree_key_of_a_switch", "tree.planes: 4",
            "14: tree.planes: ", {"has no effect with system: switch; it belongs to system: tree"}),
      value("level_key_of_a_switch", "link.l2.latency: 4 ns",
            "18: link.l2.latency: ", {"no effect with system: switch"}),
      value("io_key_of_a_switch", "buffer.l1.io.dp: 24 KiB",
            "18: buffer.l1.io.dp: ", {"no effect with system: switch"}),
      value("upper_buffer_of_a_switch", "buffer.l2.down.dp: 24 KiB",
            "20: buffer.l2.down.dp: ", {"no effect with system: switch, which has one level"}),
      tree("switch_key_of_a_tree", "switch.ports: 8",
           "15: switch.ports: ", {"has no effect with system: tree; it belongs to system: switch"}),
      tree("level_above_the_root", "tree.l3.planes: 2",
           "17: tree.l3.planes: ", {"the tree has 2 levels (tree.levels)"}),
      tree("buffer_above_the_root", "buffer.l3.down.dp: 24 KiB",
           "20: buffer.l3.down.dp: ", {"the tree has 2 levels"}),
      tree("up_buffer_of_the_root", "buffer.l2.up.dp: 24 KiB",
           "18: buffer.l2.up.dp: ", {"level 2 is the root", "no port of it faces up"}),
      {"up_buffer_of_one_level",
       "system: tree\ntree.levels: 1\nbuffer.l1.up.dp: 24 KiB\n",
       {},
       "c.yaml:3:18: buffer.l1.up.dp: ",
       {"level 1 is the root"}},
      {"no_effect_by_setting",
       "system: tree\ntree.planes: 4\n",
       {"system=switch"},
       "c.yaml:2:14: tree.planes: ",
       {"no effect with system: switch"}},
      {"pressure_without_a_seed",
       "system: switch\npressure.delay: 5 ns\n",
       {},
       "c.yaml:2:17: pressure.delay: ",
       {"no effect with pressure.seed: 0"}},
      {"loading_without_reloads",
       "system: switch\n",
       {"switch.route_load=1 GB/s"},
       "--set switch.route_load=1 GB/s: switch.route_load: ",
       {"switch.route_miss: reload"}},
      {"setting_without_effect",
       "system: tree\n",
       {"tree.l4.children=2"},
       "--set tree.l4.children=2: tree.l4.children: ",
       {"the tree has 2 levels"}},
      tree("level_0", "tree.l0.planes: 2", "1: tree.l0.planes: ", {"tree.lK.planes is there for K = 2 to 6"}),
      tree("level_1", "tree.l1.planes: 2", "1: tree.l1.planes: ", {"tree.lK.planes is there for K = 2 to 6"}),
      tree("level_7", "buffer.l7.down.dp: 24 KiB",
           "1: buffer.l7.down.dp: ", {"buffer.lK.down.dp is there for K = 1 to 6"}),
      tree("family_itself", "tree.lK.planes: 2", "1: tree.lK.planes: ", {"unknown key", "'tree.l2.planes'"}),
      tree("level_misspelled", "tree.l2.plane: 2", "1: tree.l2.plane: ", {"'tree.l2.planes'"}),
      tree("level_without_topic", "l2.planes: 2", "1: l2.planes: ", {"'tree.l2.planes'"}),
      tree("unknown_in_level", "buffer.l1.somewhere_else_entirely: 2 KiB",
           "1: buffer.l1.somewhere_else_entirely: ",
           {"known in buffer.l1: buffer.l1.io.mp", "buffer.l1.up.dp"}),
      tree("no_levels", "tree.levels: 0", "14: tree.levels: ", {"1 to 6"}),
      tree("seven_levels", "tree.levels: 7", "14: tree.levels: ", {"1 to 6"}),
      tree("no_children", "tree.l2.children: 0", "19: tree.l2.children: ", {"1 to 64"}),
      tree("ports_by_npus", "tree.leaf_npus: 57", "17: tree.leaf_npus: ",
           {"a switch of level 1 would have 65 ports (57 for NPUs + 4 for I/O controllers + 4 up)",
            "2 to 64"}),
      tree("ports_by_controllers", "tree: {leaf_npus: 4, io_controllers: 300}",
           "38: tree.io_controllers: ", {"68 ports (4 for NPUs + 60 for I/O controllers + 4 up)"}),
      tree("ports_by_planes", "tree: {leaf_npus: 4, planes: 60}",
           "30: tree.planes: ", {"a switch of level 1 would have 68 ports", "60 up"}),
      tree("ports_by_planes_of_a_level", "tree: {planes: 60, l2.planes: 61, leaf_npus: 4}",
           "31: tree.l2.planes: ", {"69 ports"}),
      tree("ports_of_an_upper_switch", "tree: {levels: 3, l2.children: 61}",
           "32: tree.l2.children: ", {"a switch of level 2 would have 65 ports (61 down + 4 up)"}),
      tree("ports_by_few_leaves", "tree: {children: 1, l2.planes: 50}",
           "32: tree.l2.planes: ", {"72 ports (4 for NPUs + 18 for I/O controllers + 50 up)"}),
      tree("one_port", "tree.children: 1",
           "16: tree.children: ", {"a switch of level 2 would have 1 port (1 down)"}),
      tree("one_port_of_a_single_switch", "tree: {levels: 1, leaf_npus: 1, io_controllers: 0}",
           "30: tree.leaf_npus: ", {"would have 1 port (1 for NPUs + 0 for I/O controllers)"}),
      tree("too_many_npus", "tree: {levels: 6, children: 16}",
           "16: tree.levels: ", {"the tree would have 4194304 NPUs; at most 1048576"}),
      tree("too_many_npus_by_settings", "tree: {children: 64, leaf_npus: 64, levels: 6}",
           "45: tree.levels: ", {"68719476736 NPUs"}),
      tree("too_many_switches", "tree: {levels: 6, children: 2, planes: 50}",
           "16: tree.levels: ", {"switches; at most 1048576"}),
      tree("buffer_of_a_level_below_packet", "buffer.l2.down.dp: 2 KiB",
           "20: buffer.l2.down.dp: ", {"packet.bytes", "4 KiB"}),

      // --set
      set("set_without_value", {"seed"}, "--set seed: ", {"key=value"}),
      set("set_empty", {""}, "--set : ", {"key=value"}),
      set("set_with_empty_value", {"seed="}, "--set seed=: seed: ", {"no value"}),
      set("set_without_key", {"=3"}, "--set =3: '': ", {"unknown key"}),
      set("set_unknown_key", {"sed=3"}, "--set sed=3: sed: ", {"unknown key", "'seed'"}),
      set("set_group", {"buffer=24 KiB"}, "--set buffer=24 KiB: buffer: ", {"group of parameters"}),
      set("set_bad_value", {"switch.ports=99"},
          "--set switch.ports=99: switch.ports: ", {"out of range", "2 to 64"}),
      set("set_bad_unit", {"link.latency=3"}, "--set link.latency=3: link.latency: ", {"no unit"}),
      set("set_twice", {"seed=1", "seed=1"}, "--set seed=1: seed: ", {"doubled"}),
      set("set_broken_bytes", {"seed=\xff\n"}, "--set seed=\\xff\\x0a: seed: ", {"'\\xff\\x0a'"}),
      {"set_does_not_hide_file", "system: switch\nseed: x\n", {"seed=1"}, "c.yaml:2:7: seed: ", {"'x'"}},
      {"set_does_not_replace_file", "", {"system=switch"}, "c.yaml:1:1: ", {"the file is empty"}},
  };
  return all;
}

class BadConfiguration : public testing::TestWithParam<Bad> {};

TEST_P(BadConfiguration, IsRefusedWithPlaceAndReason) {
  const Bad& bad = GetParam();
  const std::string message = message_of(bad.text, bad.sets);
  const std::size_t begin = ("\n" + message).find("\n" + bad.place);
  ASSERT_NE(begin, std::string::npos) << "expected a line that begins with '" << bad.place << "', got\n"
                                      << message;
  const std::string line = message.substr(begin, message.find('\n', begin) - begin);
  for (const std::string& word : bad.words) {
    EXPECT_NE(line.find(word), std::string::npos) << "expected '" << word << "' in\n" << line;
  }
}

INSTANTIATE_TEST_SUITE_P(All, BadConfiguration, testing::ValuesIn(bad_configurations()),
                         [](const testing::TestParamInfo<Bad>& bad) { return std::string(bad.param.name); });

TEST(BadConfiguration, EveryProblemIsReportedAtOnce) {
  EXPECT_EQ(
      message_of("system: switch\nswitch.ports: 99\nsed: 1\n", {"seed=x"}),
      "c.yaml:2:15: switch.ports: '99' is out of range; allowed: 2 to 64\n"
      "c.yaml:3:1: sed: unknown key (did you mean 'seed'?)\n"
      "--set seed=x: seed: 'x' is not a whole number in decimal digits; allowed: 0 to 9007199254740991");
}

TEST(BadConfiguration, OneSmallBufferIsOneProblem) {
  const std::string message = message_of("system: switch\nbuffer.dp: 2 KiB\n", {});
  EXPECT_EQ(message.find('\n'), std::string::npos) << message;
}

/// What decides about the effect of a key is wrong itself: one mistake, one message.
TEST(BadConfiguration, EffectIsNotJudgedByRefusedValues) {
  for (const char* text : {"system: tre\ntree.planes: 4\nswitch.ports: 8\n",
                           "system: tree\ntree: {levels: x, l3.planes: 2}\n"}) {
    const std::string message = message_of(text, {});
    EXPECT_EQ(message.find('\n'), std::string::npos) << message;
    EXPECT_EQ(message.find("no effect"), std::string::npos) << message;
  }
}

TEST(BadConfiguration, HundredsOfProblemsAreCutShort) {
  std::string text = "system: switch\n";
  for (int i = 0; i < 300; ++i) text += "key" + std::to_string(i) + ": 1\n";
  const std::string message = message_of(text, {});
  EXPECT_NE(message.find("\nand 280 more"), std::string::npos) << message;
}

TEST(BadConfiguration, FileThatCannotBeReadIsNamed) {
  const auto message = [](const std::string& path) -> std::string {
    try {
      load_configuration(path);
    } catch (const hw::InputError& error) {
      return error.what();
    }
    return "(accepted)";
  };
  const std::string directory = testing::TempDir();
  EXPECT_EQ(message(directory + "nowhere.yaml"),
            directory + "nowhere.yaml: cannot be opened: No such file or directory");
  EXPECT_NE(message(directory).find("is a directory"), std::string::npos);
  EXPECT_NE(message("/dev/zero").find("larger than 256 KiB"), std::string::npos);
  EXPECT_NE(message("").find("cannot be opened"), std::string::npos);
}

}  // namespace
}  // namespace fredsim::tb
