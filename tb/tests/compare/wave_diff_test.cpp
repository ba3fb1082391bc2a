// Where two waveforms part, on dumps written by hand.
#include "tb/compare/wave_diff.h"

#include <gtest/gtest.h>

#include <ostream>

#include "hw/core/error.h"
#include "tb/tests/support/folder.h"

namespace fredsim::tb {
namespace {

using Strings = std::vector<std::string>;

const std::string head =
    "$timescale 1 ps $end\n$scope module top $end\n$var integer 64 ! level $end\n$scope module in $end\n"
    "$var wire 1 \" busy $end\n$var string 1 # state $end\n$upscope $end\n$upscope $end\n$enddefinitions "
    "$end\n";
const std::string body = "$dumpvars\nb0 !\n0\"\nsidle #\n$end\n#1000\nb101 !\n1\"\n#2000\nsrun #\n0\"\n";

WaveDifference diff(const std::string& a, const std::string& b, const Strings& globs = {}) {
  const test::Folder folder;
  test::write_file(folder / "a.vcd", a);
  test::write_file(folder / "b.vcd", b);
  return wave_diff(folder / "a.vcd", folder / "b.vcd", globs);
}

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  const std::size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return text.replace(at, from.size(), to);
}

TEST(WaveDiff, EqualWaveforms) {
  const WaveDifference d = diff(head + body, head + body);
  EXPECT_TRUE(d.equal());
  EXPECT_EQ(d.compared, 3u);
  EXPECT_EQ(d.end_a_fs, 2'000'000);
}

TEST(WaveDiff, NamesTheFirstTimeAndAllSignalsThen) {
  const WaveDifference d =
      diff(head + body, head + replaced(replaced(body, "b101 !", "b110 !"), "1\"", "0\""));
  ASSERT_EQ(d.first_fs, 1'000'000);
  ASSERT_EQ(d.signals.size(), 2u);
  EXPECT_EQ(d.signals[0].path, "top.in.busy");
  EXPECT_EQ(d.signals[1].path, "top.level");
  EXPECT_EQ(d.signals[1].a, "5");
  EXPECT_EQ(d.signals[1].b, "6");
  const WaveDifference later = diff(head + body, head + replaced(body, "srun", "swalk"));
  EXPECT_EQ(later.first_fs, 2'000'000);
  EXPECT_EQ(later.signals.at(0).b, "walk");
  // An earlier change in one of them, a change that is missing, and one that comes in addition.
  EXPECT_EQ(diff(head + body, head + replaced(body, "#1000", "#0999")).first_fs, 999'000);
  EXPECT_EQ(diff(head + body, head + replaced(body, "b101 !\n", "")).first_fs, 1'000'000);
  EXPECT_EQ(diff(head + body, head + body + "#2500\nb111 !\n").first_fs, 2'500'000);
  EXPECT_EQ(diff(head + body, head + replaced(body, "b0 !\n", "")).signals.at(0).b, "-");
}

/// What writers may do in their own way: codes, timescales, leading zeros, order, glitches within one time.
TEST(WaveDiff, LooksAtValuesOnly) {
  EXPECT_TRUE(diff(head + body, head + replaced(body, "b101 !", "b00101 !")).equal());
  EXPECT_TRUE(diff(head + body, head + replaced(body, "b101 !\n1\"", "1\"\nb111 !\nb101 !")).equal());
  std::string in_fs =
      replaced(head, "1 ps", "1 fs") + replaced(replaced(body, "#1000", "#1000000"), "#2000", "#2000000");
  EXPECT_TRUE(diff(head + body, in_fs).equal());
  std::string other_codes = replaced(head, "64 ! level", "64 %% level") + body;
  for (std::size_t at; (at = other_codes.find(" !\n")) != std::string::npos;)
    other_codes.replace(at, 3, " %%\n");
  EXPECT_TRUE(diff(head + body, other_codes).equal());
  EXPECT_TRUE(diff(head + body, head + replaced(body, "#1000", "$comment b1 ! $end #1000")).equal());
}

TEST(WaveDiff, NoticesMissingSignalsAndOtherEnds) {
  const WaveDifference fewer = diff(head + body, replaced(head, "$var string 1 # state $end\n", "") + body);
  EXPECT_EQ(fewer.only_in_a, Strings{"top.in.state"});
  EXPECT_FALSE(fewer.equal());
  EXPECT_FALSE(fewer.first_fs);
  EXPECT_FALSE(diff(head + body, head + body + "#3000\n").equal());
  EXPECT_TRUE(diff(head + body, head + replaced(body, "srun", "swalk"), {"*.level", "*busy"}).equal());
  EXPECT_THROW(diff(head + body, head + body, {"nothing*"}), hw::InputError);
}

struct Bad {
  const char* name;
  std::string text;
  std::string word;
};
std::ostream& operator<<(std::ostream& out, const Bad& bad) {
  return out << bad.name;
}
class BadWave : public testing::TestWithParam<Bad> {};

TEST_P(BadWave, IsRefused) {
  try {
    diff(head + body, GetParam().text);
    FAIL() << "accepted";
  } catch (const hw::InputError& error) {
    EXPECT_NE(std::string(error.what()).find("b.vcd:"), std::string::npos) << error.what();
    EXPECT_NE(std::string(error.what()).find(GetParam().word), std::string::npos) << error.what();
  }
}

INSTANTIATE_TEST_SUITE_P(
    WaveDiff, BadWave,
    testing::Values(
        Bad{"empty", "", "$enddefinitions is missing"}, Bad{"binary", std::string("\0\1", 2), "no text"},
        Bad{"json", "{}\n", "'{}' stands where"},
        Bad{"no_timescale", replaced(head, "$timescale 1 ps $end\n", ""), "$timescale is missing"},
        Bad{"odd_timescale", replaced(head, "1 ps", "2 ps"), "'2ps'"},
        Bad{"cut_declaration", "$timescale 1 ps", "ends within a declaration"},
        Bad{"short_variable", replaced(head, " level", ""), "$var takes"},
        Bad{"scopes", replaced(head, "$scope module in $end\n", "$upscope $end $upscope $end"), "$upscope"},
        Bad{"doubled", replaced(head, "# state", "# busy"), "declared twice"},
        Bad{"time_back", head + body + "#1500\n", "time goes back"},
        Bad{"bad_time", head + "#12x\n", "is no time"},
        Bad{"huge_time", head + "#99999999999999999\n", "is no time"},
        Bad{"no_change", head + "#1\nhello\n", "is no change"},
        Bad{"cut_change", head + "#1\nb101", "ends within a change"},
        Bad{"no_code", head + "#1\n1\n", "lacks a code"}),
    [](const auto& tested) { return std::string(tested.param.name); });

}  // namespace
}  // namespace fredsim::tb
