// Each way in which a trace can be wrong, with the place and the words that the user must get.
#include <gtest/gtest.h>

#include <ostream>
#include <string>
#include <vector>

#include "hw/core/error.h"
#include "tb/tests/traces/trace_text.h"

namespace fredsim::trace::testing {
namespace {

struct Bad {
  const char* name;
  std::string lines;   ///< after the first line
  std::uint32_t line;  ///< of the one problem
  const char* operation;
  std::vector<const char*> words;  ///< that the reason holds
};

void PrintTo(const Bad& bad, std::ostream* out) {
  *out << bad.name;
}

const char* const ok = R"({"id":"ok","type":"barrier","npus":[0,1]})"
                       "\n";

const std::vector<Bad> bad_lines = {
    // The text.
    {"garbage", std::string(ok) + "hello\n", 3, "", {"not JSON", "column 1"}},
    {"cut_off_line", std::string(ok) + R"({"id":"a","type":"barr)", 3, "", {"not JSON", "file ends inside"}},
    {"cut_off_behind_a_value",
     std::string(ok) + R"({"id":"a","type":"barrier")",
     3,
     "",
     {"not JSON", "file ends inside"}},
    {"two_objects_on_a_line", std::string(ok) + "{} {}\n", 3, "", {"not JSON"}},
    {"array_not_object", std::string(ok) + "[1,2]\n", 3, "", {"not a JSON object"}},
    {"number_not_object", std::string(ok) + "17\n", 3, "", {"not a JSON object"}},
    {"number_beyond_double",
     std::string(ok) + R"({"id":"a","type":"compute","npus":[0],"ns":1e999})"
                       "\n",
     3,
     "",
     {"not JSON", "1e999"}},
    {"invalid_utf8",
     std::string(ok) + "{\"id\":\"a\xff\",\"type\":\"barrier\",\"npus\":[0]}\n",
     3,
     "",
     {"not JSON", "UTF-8"}},
    {"nul_byte", std::string(ok) + std::string("{\"id\":\"a\0\"}\n", 12), 3, "", {"not JSON"}},
    // Keys.
    {"no_id", R"({"type":"barrier","npus":[0]})", 2, "", {"\"id\" is missing"}},
    {"empty_id", R"({"id":"","type":"barrier","npus":[0]})", 2, "", {"id is empty"}},
    {"id_is_number", R"({"id":7,"type":"barrier","npus":[0]})", 2, "", {"id takes a string", "a number"}},
    {"id_with_control_character",
     R"({"id":"a\u001b[2J","type":"barrier","npus":[0]})",
     2,
     "",
     {"control character"}},
    {"no_type", R"({"id":"a","npus":[0]})", 2, "a", {"\"type\" is missing"}},
    {"type_with_typo",
     R"({"id":"a","type":"allreduce","npus":[0],"bytes":4})",
     2,
     "a",
     {"\"allreduce\"", "\"all_reduce\""}},
    {"type_unknown",
     R"({"id":"a","type":"xyzzy","npus":[0],"bytes":4})",
     2,
     "a",
     {"\"xyzzy\"", "known:", "all_to_all", "barrier"}},
    {"type_is_null", R"({"id":"a","type":null,"npus":[0]})", 2, "a", {"type takes a string", "null"}},
    {"no_npus", R"({"id":"a","type":"barrier"})", 2, "a", {"\"npus\" is missing"}},
    {"npus_is_number",
     R"({"id":"a","type":"barrier","npus":4})",
     2,
     "a",
     {"npus takes an array", "a number"}},
    {"npu_is_string",
     R"({"id":"a","type":"barrier","npus":["0"]})",
     2,
     "a",
     {"npus takes an array of NPUs", "a string"}},
    {"npu_is_negative", R"({"id":"a","type":"barrier","npus":[-1]})", 2, "a", {"negative (-1)"}},
    {"npu_is_fractional", R"({"id":"a","type":"barrier","npus":[1.5]})", 2, "a", {"1.5"}},
    {"npu_is_nested", R"({"id":"a","type":"barrier","npus":[[0]]})", 2, "a", {"an array"}},
    {"no_bytes", R"({"id":"a","type":"all_reduce","npus":[0,1]})", 2, "a", {"\"bytes\" is missing"}},
    {"bytes_negative",
     R"({"id":"a","type":"all_reduce","npus":[0,1],"bytes":-1})",
     2,
     "a",
     {"bytes", "negative (-1)"}},
    {"bytes_fractional",
     R"({"id":"a","type":"all_reduce","npus":[0,1],"bytes":2.9})",
     2,
     "a",
     {"bytes", "2.9", "whole"}},
    {"bytes_with_exponent",
     R"({"id":"a","type":"all_reduce","npus":[0,1],"bytes":1e6})",
     2,
     "a",
     {"bytes", "1e6", "whole"}},
    {"bytes_with_unit",
     R"({"id":"a","type":"all_reduce","npus":[0,1],"bytes":"64 MiB"})",
     2,
     "a",
     {"bytes", "a string"}},
    {"bytes_above_2_62",
     R"({"id":"a","type":"all_reduce","npus":[0,1],"bytes":4611686018427387905})",
     2,
     "a",
     {"4611686018427387905", "4611686018427387904"}},
    {"bytes_above_64_bits",
     R"({"id":"a","type":"all_reduce","npus":[0,1],"bytes":18446744073709551616})",
     2,
     "a",
     {"18446744073709551616"}},
    {"bytes_is_truth",
     R"({"id":"a","type":"all_reduce","npus":[0,1],"bytes":true})",
     2,
     "a",
     {"bytes", "truth"}},
    {"bytes_of_barrier",
     R"({"id":"a","type":"barrier","npus":[0,1],"bytes":4})",
     2,
     "a",
     {"barrier takes no key \"bytes\"", "it takes id"}},
    {"unknown_key",
     R"({"id":"a","type":"barrier","npus":[0,1],"clas":"mp"})",
     2,
     "a",
     {"unknown key \"clas\"", "\"class\""}},
    {"doubled_key",
     R"({"id":"a","type":"barrier","npus":[0,1],"npus":[2,3]})",
     2,
     "a",
     {"\"npus\" is given twice"}},
    {"unknown_class",
     R"({"id":"a","type":"barrier","npus":[0,1],"class":"ddp"})",
     2,
     "a",
     {"class \"ddp\"", "dp"}},
    {"class_of_compute",
     R"({"id":"a","type":"compute","npus":[0],"ns":1,"class":"mp"})",
     2,
     "a",
     {"compute takes no key \"class\""}},
    {"unknown_op",
     R"({"id":"a","type":"reduce","root":0,"npus":[0],"bytes":4,"op":"prod"})",
     2,
     "a",
     {"op \"prod\"", "sum"}},
    {"op_of_all_gather",
     R"({"id":"a","type":"all_gather","npus":[0],"bytes":4,"op":"sum"})",
     2,
     "a",
     {"all_gather takes no key \"op\""}},
    {"unknown_dtype",
     R"({"id":"a","type":"all_gather","npus":[0],"bytes":4,"dtype":"fp61"})",
     2,
     "a",
     {"dtype \"fp61\"", "\"fp16\""}},
    {"empty_algorithm",
     R"({"id":"a","type":"all_gather","npus":[0],"bytes":4,"algorithm":""})",
     2,
     "a",
     {"algorithm is empty"}},
    {"root_missing", R"({"id":"a","type":"reduce","npus":[0],"bytes":4})", 2, "a", {"\"root\" is missing"}},
    {"root_of_all_reduce",
     R"({"id":"a","type":"all_reduce","npus":[0],"bytes":4,"root":0})",
     2,
     "a",
     {"takes no key \"root\""}},
    {"root_outside_group",
     R"({"id":"a","type":"broadcast","npus":[0,1],"bytes":4,"root":2})",
     2,
     "a",
     {"root 2 is not in the group"}},
    {"compute_without_time", R"({"id":"a","type":"compute","npus":[0]})", 2, "a", {"neither ns nor flops"}},
    {"compute_with_both",
     R"({"id":"a","type":"compute","npus":[0],"ns":1,"flops":1})",
     2,
     "a",
     {"both ns and flops"}},
    {"ns_negative",
     R"({"id":"a","type":"compute","npus":[0],"ns":-5})",
     2,
     "a",
     {"ns takes a number from 0", "negative"}},
    {"ns_negative_fraction", R"({"id":"a","type":"compute","npus":[0],"ns":-0.5})", 2, "a", {"ns"}},
    {"ns_is_string",
     R"({"id":"a","type":"compute","npus":[0],"ns":"5 ns"})",
     2,
     "a",
     {"ns takes a number", "a string"}},
    {"ns_below_1_fs", R"({"id":"a","type":"compute","npus":[0],"ns":0.0000001})", 2, "a", {"ns"}},
    {"ns_too_long", R"({"id":"a","type":"compute","npus":[0],"ns":1e13})", 2, "a", {"ns"}},
    {"flops_negative", R"({"id":"a","type":"compute","npus":[0],"flops":-1.5})", 2, "a", {"flops"}},
    {"flops_huge", R"({"id":"a","type":"compute","npus":[0],"flops":1e25})", 2, "a", {"flops is 1e25"}},
    {"unknown_mode",
     R"({"id":"a","type":"load","npus":[0],"bytes":4,"mode":"brodcast"})",
     2,
     "a",
     {"mode \"brodcast\"", "\"broadcast\""}},
    {"after_is_string",
     R"({"id":"a","type":"barrier","npus":[0],"after":"b"})",
     2,
     "a",
     {"after takes an array"}},
    {"after_holds_number",
     R"({"id":"a","type":"barrier","npus":[0],"after":[3]})",
     2,
     "a",
     {"after takes an array of ids", "a number"}},
    // Groups.
    {"empty_group", R"({"id":"a","type":"barrier","npus":[]})", 2, "a", {"npus is empty"}},
    {"npu_outside",
     R"({"id":"a","type":"barrier","npus":[0,8]})",
     2,
     "a",
     {"NPU 8 is outside the trace", "0 to 7"}},
    {"npu_far_outside",
     R"({"id":"a","type":"barrier","npus":[0,4294967295]})",
     2,
     "a",
     {"NPU 4294967295 is outside"}},
    {"npu_above_32_bits", R"({"id":"a","type":"barrier","npus":[0,4294967296]})", 2, "a", {"4294967296"}},
    {"npu_twice", R"({"id":"a","type":"barrier","npus":[0,1,0]})", 2, "a", {"NPU 0 is in the group twice"}},
    // Sends and receives.
    {"send_of_two",
     R"({"id":"a","type":"send","npus":[0,1],"to":2,"bytes":4})",
     2,
     "a",
     {"a send takes one NPU", "has 2"}},
    {"send_without_to", R"({"id":"a","type":"send","npus":[0],"bytes":4})", 2, "a", {"\"to\" is missing"}},
    {"send_with_from",
     R"({"id":"a","type":"send","npus":[0],"to":1,"from":1,"bytes":4})"
     "\n"
     R"({"id":"b","type":"recv","npus":[1],"from":0,"bytes":4})",
     2,
     "a",
     {"send takes no key \"from\""}},
    {"send_to_itself",
     R"({"id":"a","type":"send","npus":[0],"to":0,"bytes":4})",
     2,
     "a",
     {"NPU 0 sends to itself"}},
    {"recv_from_itself",
     R"({"id":"a","type":"recv","npus":[0],"from":0,"bytes":4})",
     2,
     "a",
     {"NPU 0 receives from itself"}},
    {"send_to_outside",
     R"({"id":"a","type":"send","npus":[0],"to":8,"bytes":4})",
     2,
     "a",
     {"to is NPU 8", "outside the trace"}},
    {"send_unmatched",
     R"({"id":"a","type":"send","npus":[0],"to":1,"bytes":4,"tag":3})",
     2,
     "a",
     {"send from NPU 0 to NPU 1 with tag 3 has no recv"}},
    {"recv_unmatched",
     R"({"id":"a","type":"recv","npus":[0],"from":1,"bytes":4})",
     2,
     "a",
     {"recv from NPU 1 to NPU 0 with tag 0 has no send"}},
    {"sizes_differ",
     R"({"id":"a","type":"send","npus":[0],"to":1,"bytes":4})"
     "\n"
     R"({"id":"b","type":"recv","npus":[1],"from":0,"bytes":5})",
     3,
     "b",
     {"receives 5 bytes", "\"a\" (line 2) sends 4"}},
    {"classes_differ",
     R"({"id":"a","type":"send","npus":[0],"to":1,"bytes":4,"class":"mp"})"
     "\n"
     R"({"id":"b","type":"recv","npus":[1],"from":0,"bytes":4})",
     3,
     "b",
     {"class dp", "\"a\" (line 2) of class mp"}},
    {"dtypes_differ",
     R"({"id":"a","type":"send","npus":[0],"to":1,"bytes":4,"dtype":"fp32"})"
     "\n"
     R"({"id":"b","type":"recv","npus":[1],"from":0,"bytes":4})",
     3,
     "b",
     {"dtype is not given", "is fp32"}},
    {"tag_fractional",
     R"({"id":"a","type":"send","npus":[0],"to":1,"bytes":4,"tag":0.5})",
     2,
     "a",
     {"tag", "0.5"}},
    // Order.
    {"doubled_id", std::string(ok) + ok, 3, "ok", {"already that of line 2"}},
    {"after_nothing",
     R"({"id":"a","type":"barrier","npus":[0],"after":["b"]})",
     2,
     "a",
     {"after names \"b\"", "no operation"}},
    {"after_all_nothing",
     R"({"id":"a","type":"barrier","npus":[0],"after_all":["b"]})",
     2,
     "a",
     {"after_all names \"b\"", "no operation"}},
    {"after_without_common_npu",
     std::string(ok) + R"({"id":"a","type":"barrier","npus":[2],"after":["ok"]})",
     3,
     "a",
     {"\"ok\"", "no NPU in common", "after_all"}},
    {"after_twice",
     std::string(ok) + R"({"id":"a","type":"barrier","npus":[0],"after":["ok","ok"]})",
     3,
     "a",
     {"after names \"ok\" twice"}},
    {"after_itself",
     R"({"id":"a","type":"barrier","npus":[0],"after":["a"]})",
     2,
     "a",
     {"after names the operation itself"}},
    {"after_all_itself",
     R"({"id":"a","type":"barrier","npus":[0],"after_all":["a"]})",
     2,
     "a",
     {"after_all names the operation itself"}},
    {"cycle_of_two",
     R"({"id":"a","type":"barrier","npus":[0,1],"after":["b"]})"
     "\n"
     R"({"id":"b","type":"barrier","npus":[1,2],"after":["a"]})",
     2,
     "a",
     {"cycle", "\"a\" at NPU 1 -> \"b\" at NPU 1 -> \"a\" at NPU 1"}},
    {"cycle_at_several_npus",
     R"({"id":"a","type":"barrier","npus":[0,1,2],"after":["b"]})"
     "\n"
     R"({"id":"b","type":"barrier","npus":[0,1,2],"after":["a"]})",
     2,
     "a",
     {"\"a\" at NPU 0 -> \"b\" at NPU 0 -> \"a\" at NPU 0, and so at 2 more NPUs"}},
    {"cycle_through_after_all",
     R"({"id":"a","type":"barrier","npus":[0],"after_all":["b"]})"
     "\n"
     R"({"id":"b","type":"barrier","npus":[1],"after_all":["a"]})",
     2,
     "a",
     {"\"a\" at NPU 0 -> \"b\" at NPU 1 -> \"a\" at NPU 0"}},
    {"cycle_through_a_send",
     R"({"id":"s","type":"send","npus":[0],"to":1,"bytes":4,"after":["x"]})"
     "\n"
     R"({"id":"r","type":"recv","npus":[1],"from":0,"bytes":4})"
     "\n"
     R"({"id":"x","type":"compute","npus":[0],"ns":0,"after_all":["r"]})",
     2,
     "s",
     {"\"s\" at NPU 0 -> \"r\" at NPU 1 -> \"x\" at NPU 0 -> \"s\" at NPU 0"}},
    {"no_operations", "", 0, "", {"no operations"}},
};

class BadLine : public ::testing::TestWithParam<Bad> {};

TEST_P(BadLine, IsReportedOnceWithPlaceAndReason) {
  const Bad& bad = GetParam();
  const ReadResult result = read_lines(bad.lines);
  ASSERT_EQ(result.problems.size(), 1u) << text_of(result.problems);
  const Problem& problem = result.problems[0];
  EXPECT_EQ(problem.file, "t.jsonl");
  EXPECT_EQ(problem.line, bad.line) << to_string(problem);
  EXPECT_EQ(problem.operation, bad.operation) << to_string(problem);
  for (const char* word : bad.words) {
    EXPECT_NE(problem.reason.find(word), std::string::npos) << "\"" << word << "\" in: " << problem.reason;
  }
}

INSTANTIATE_TEST_SUITE_P(Traces, BadLine, ::testing::ValuesIn(bad_lines),
                         [](const auto& test) { return std::string(test.param.name); });

struct BadFile {
  const char* name;
  std::string text;
  std::uint32_t line;
  std::vector<const char*> words;
};

void PrintTo(const BadFile& bad, std::ostream* out) {
  *out << bad.name;
}

const std::vector<BadFile> bad_files = {
    {"empty", "", 0, {"empty"}},
    {"blank_first_line", "\n", 1, {"first line"}},
    {"binary", std::string("\x1f\x8b\x08\0\0", 5), 1, {"first line is not JSON"}},
    {"no_first_line", ok, 1, {"first line", "\"format\":\"fredsim-trace\""}},
    {"array", "[]\n", 1, {"first line is not a JSON object"}},
    {"other_format", R"({"format":"other","version":1,"npus":8})", 1, {"\"format\":\"fredsim-trace\""}},
    {"cut_off_first_line", R"({"format":"fredsim-tr)", 1, {"file ends inside"}},
    {"version_2", R"({"format":"fredsim-trace","version":2,"npus":8})", 1, {"version is 2", "1 to 1"}},
    {"version_missing", R"({"format":"fredsim-trace","npus":8})", 1, {"\"version\" is missing"}},
    {"version_string", R"({"format":"fredsim-trace","version":"1","npus":8})", 1, {"version", "a string"}},
    {"npus_missing", R"({"format":"fredsim-trace","version":1})", 1, {"\"npus\" is missing"}},
    {"npus_zero", R"({"format":"fredsim-trace","version":1,"npus":0})", 1, {"npus is 0", "1 to 1048576"}},
    {"npus_negative", R"({"format":"fredsim-trace","version":1,"npus":-1})", 1, {"npus", "negative"}},
    {"npus_huge", R"({"format":"fredsim-trace","version":1,"npus":4294967295})", 1, {"npus is 4294967295"}},
    {"header_key",
     R"({"format":"fredsim-trace","version":1,"npus":8,"nam":"x"})",
     1,
     {"unknown key \"nam\"", "\"name\""}},
    {"header_key_twice",
     R"({"format":"fredsim-trace","version":1,"npus":8,"npus":8})",
     1,
     {"\"npus\" is given twice"}},
    {"lost_lines",
     "{\"format\":\"fredsim-trace\",\"version\":1,\"npus\":8,\"operations\":3}\n" + std::string(ok),
     0,
     {"counts 3 operations", "has 1", "end is missing"}},
    {"extra_lines",
     "{\"format\":\"fredsim-trace\",\"version\":1,\"npus\":2,\"operations\":0}\n" + std::string(ok),
     0,
     {"counts 0 operations", "has 1"}},
};

class BadFileTest : public ::testing::TestWithParam<BadFile> {};

TEST_P(BadFileTest, IsReportedOnceWithPlaceAndReason) {
  const ReadResult result = read_text(GetParam().text);
  ASSERT_EQ(result.problems.size(), 1u) << text_of(result.problems);
  EXPECT_EQ(result.problems[0].line, GetParam().line);
  for (const char* word : GetParam().words) {
    EXPECT_NE(result.problems[0].reason.find(word), std::string::npos)
        << "\"" << word << "\" in: " << result.problems[0].reason;
  }
}

INSTANTIATE_TEST_SUITE_P(Traces, BadFileTest, ::testing::ValuesIn(bad_files),
                         [](const auto& test) { return std::string(test.param.name); });

TEST(BadTrace, EveryReasonIsCollectedAndNoneFollowsFromAnother) {
  const ReadResult result =
      read_lines(R"({"id":"a","type":"all_reduce","npus":[0,9],"bytes":-4,"clas":"mp"})"
                 "\n"
                 R"({"id":"b","type":"send","npus":[0],"to":1})"
                 "\n"
                 R"({"id":"c","type":"recv","npus":[1],"from":0,"bytes":4})"
                 "\n"
                 R"({"id":"d","type":"broadcast","npus":[0,1],"root":7,"bytes":4,"after":["a","nowhere"]})"
                 "\n");
  EXPECT_EQ(text_of(result.problems),
            "t.jsonl:2: operation \"a\": unknown key \"clas\", did you mean \"class\"?\n"
            "t.jsonl:2: operation \"a\": bytes takes a whole number from 0 to 4611686018427387904, this is "
            "negative "
            "(-4)\n"
            "t.jsonl:3: operation \"b\": the key \"bytes\" is missing\n"
            "t.jsonl:5: operation \"d\": after names \"nowhere\", which is no operation of this trace\n"
            "t.jsonl:5: operation \"d\": root 7 is not in the group\n");
}

TEST(BadTrace, AMisspeltKeyIsOneProblem) {
  const ReadResult result = read_lines(R"({"id":"a","type":"all_reduce","npus":[0,1],"byte":4})");
  EXPECT_EQ(text_of(result.problems),
            "t.jsonl:2: operation \"a\": unknown key \"byte\", did you mean \"bytes\"?\n");
}

TEST(BadTrace, AnUnreadableLineHidesNoOtherAndBlamesNoReference) {
  const ReadResult result = read_lines(
      "{oops\n"
      R"({"id":"d","type":"barrier","npus":[0,1],"after":["oops"]})"
      "\n"
      R"({"id":"e","type":"barrier","npus":[0,0]})"
      "\n");
  ASSERT_EQ(result.problems.size(), 2u) << text_of(result.problems);
  EXPECT_EQ(result.problems[0].line, 2u);
  EXPECT_EQ(result.problems[1].line, 4u);
}

TEST(BadTrace, MoreNpusThanTheSystem) {
  std::istringstream in("{\"format\":\"fredsim-trace\",\"version\":1,\"npus\":9,\"name\":\"\"}\n" +
                        std::string(ok));
  const ReadResult result = read(in, "t.jsonl", 8);
  EXPECT_EQ(text_of(result.problems), "t.jsonl: the trace is for 9 NPUs, the system has 8\n");
}

TEST(BadTrace, RefusalShowsTheFirstFewAndCountsTheRest) {
  std::string lines;
  for (int i = 0; i < 12; ++i) lines += "x\n";
  try {
    refuse(read_lines(lines).problems);
    FAIL();
  } catch (const hw::InputError& error) {
    const std::string what = error.what();
    EXPECT_NE(what.find("t.jsonl:2: "), std::string::npos) << what;
    EXPECT_NE(what.find("t.jsonl:6: "), std::string::npos) << what;
    EXPECT_EQ(what.find("t.jsonl:7: "), std::string::npos) << what;
    EXPECT_NE(what.find("and 7 more"), std::string::npos) << what;
  }
}

TEST(BadTrace, FilesThatAreNone) {
  EXPECT_EQ(text_of(read(::testing::TempDir()).problems),
            ::testing::TempDir() + ": is a directory, not a trace\n");
  EXPECT_EQ(text_of(read("/nonexistent/t.jsonl").problems), "/nonexistent/t.jsonl: no such file\n");
  // Opens, and cannot be read.
  EXPECT_EQ(text_of(read("/proc/self/mem").problems), "/proc/self/mem: cannot be read to its end\n");
}

TEST(BadTrace, ALineWithoutEndDoesNotFillTheMemory) {
  const ReadResult result = read_lines(std::string(std::size_t{17} << 20, ' '));
  ASSERT_EQ(result.problems.size(), 2u) << text_of(result.problems);
  EXPECT_NE(to_string(result.problems[1]).find("t.jsonl:2: the line is longer than"), std::string::npos);
}

TEST(BadTrace, ThousandsOfKeysAndDeepNestingEndQuickly) {
  std::string keys = "{";
  for (int i = 0; i < 100000; ++i) keys += "\"k" + std::to_string(i) + "\":0,";
  const ReadResult many = read_lines(keys + "\"z\":0}\n");
  ASSERT_EQ(many.problems.size(), 1u);
  EXPECT_NE(many.problems[0].reason.find("more than 64 keys"), std::string::npos);
  const ReadResult deep = read_lines("{\"id\":" + std::string(1000000, '[') + "\n");
  ASSERT_EQ(deep.problems.size(), 1u);
}

TEST(BadTrace, ControlCharactersDoNotReachTheTerminal) {
  const ReadResult result = read_lines(R"({"id":"a","type":"bar\u001b[2Jrier","npus":[0]})");
  ASSERT_EQ(result.problems.size(), 1u);
  EXPECT_EQ(to_string(result.problems[0]).find('\x1b'), std::string::npos);
}

}  // namespace
}  // namespace fredsim::trace::testing
