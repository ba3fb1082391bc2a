// Files that are no traces, and how many problems a user is told of, with the place and the words that the
// user must get.
#include <gtest/gtest.h>

#include <ostream>
#include <string>
#include <vector>

#include "hw/core/error.h"
#include "tb/tests/traces/trace_text.h"

namespace fredsim::trace::testing {
namespace {

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
