#include "hw/observe/glob.h"

#include <gtest/gtest.h>

#include <random>
#include <string>

namespace fredsim::hw {
namespace {

// The definition, word for word; exponential, so for short texts only.
bool matches_by_definition(const std::string& pattern, const std::string& text) {
  if (pattern.empty()) return text.empty();
  if (pattern[0] == '*') {
    for (std::size_t taken = 0; taken <= text.size(); ++taken) {
      if (matches_by_definition(pattern.substr(1), text.substr(taken))) return true;
    }
    return false;
  }
  return !text.empty() && (pattern[0] == '?' || pattern[0] == text[0]) &&
         matches_by_definition(pattern.substr(1), text.substr(1));
}

TEST(Glob, MatchesWholePathsAcrossDots) {
  EXPECT_TRUE(glob_matches("*", "switch.in3.vc_dp.occupancy"));
  EXPECT_TRUE(glob_matches("switch.*.occupancy", "switch.in3.vc_dp.occupancy"));
  EXPECT_TRUE(glob_matches("switch.in?.*", "switch.in3.vc_dp.occupancy"));
  EXPECT_FALSE(glob_matches("switch.in?.*", "switch.in13.vc_dp.occupancy"));
  EXPECT_FALSE(glob_matches("switch", "switch.in3"));
  EXPECT_FALSE(glob_matches("", "switch"));
  EXPECT_TRUE(glob_matches("[a]", "[a]"));
}

TEST(Glob, AgreesWithTheDefinitionOnEveryShortPatternAndText) {
  const std::string letters = "ab*?";
  for (int p = 0; p < 4 * 4 * 4 * 4 * 4; ++p) {
    std::string pattern;
    for (int rest = p, length = p % 6; length > 0; --length, rest /= 4) pattern += letters[rest % 4];
    for (int t = 0; t < 64; ++t) {
      std::string text;
      for (int rest = t, length = t % 7; length > 0; --length, rest /= 2) text += letters[rest % 2];
      ASSERT_EQ(glob_matches(pattern, text), matches_by_definition(pattern, text))
          << pattern << " on " << text;
    }
  }
}

TEST(Glob, ManyStarsTakeNoLongTime) {
  std::string pattern;
  for (int i = 0; i < 200; ++i) pattern += "a*";
  EXPECT_FALSE(glob_matches(pattern + "b", std::string(10'000, 'a')));
}

}  // namespace
}  // namespace fredsim::hw
