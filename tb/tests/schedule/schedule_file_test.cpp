#include "fpga_agg/schedule/schedule_file.h"

#include <gtest/gtest.h>

#include "hw/core/error.h"
#include "tb/tests/schedule/cities.h"

namespace fredsim::agg::test {
namespace {

TEST(ScheduleFile, WhatIsWrittenIsRead) {
  const Topology t = nine_cities();
  Timer timer(t, Conditions{});
  const std::vector<Candidate> candidates = {assess(timer, {regions(t), across_regions(t)}),
                                             assess(timer, {all_nine(t)})};
  const auto json = to_json(t, candidates, 1, 133.9e6);
  std::vector<std::string> keys;
  for (const auto& [key, ignored] : json.items()) keys.push_back(key);
  EXPECT_EQ(keys, (std::vector<std::string>{"format", "version", "sites", "candidates", "best",
                                            "crossover_bytes"}));
  EXPECT_EQ(json["crossover_bytes"], 133'900'000);
  EXPECT_EQ(json["candidates"][0]["rounds"][0][0], (std::vector<std::string>{"NYC", "CHI", "LAX"}));
  EXPECT_EQ(json["candidates"][0]["exact"], true);
  const ScheduleFile file = parse_schedule(json.dump(), "s.json", t);
  EXPECT_EQ(file.best, 1u);
  ASSERT_EQ(file.schedules.size(), 2u);
  EXPECT_EQ(file.schedules[0], candidates[0].rounds);
  EXPECT_EQ(file.schedules[1], candidates[1].rounds);
}

TEST(ScheduleFile, ByHandSitesMayBeLeftOut) {
  const Topology t = nine_cities();
  const ScheduleFile file = parse_schedule(R"({"rounds": [[["LON", "NYC"]], [["SIN"]]]})", "s.json", t);
  ASSERT_EQ(file.schedules.front().size(), 2u);
  EXPECT_EQ(file.schedules.front()[0], normalized({{0, 3}}, 9));
  EXPECT_EQ(file.schedules.front()[1], normalized({}, 9));
}

struct Bad {
  const char* name;
  const char* text;
  std::vector<std::string> words;
};
std::ostream& operator<<(std::ostream& out, const Bad& bad) {
  return out << bad.name;
}
class BadSchedule : public testing::TestWithParam<Bad> {};

TEST_P(BadSchedule, IsRefusedWithItsPlace) {
  try {
    parse_schedule(GetParam().text, "s.json", nine_cities());
    FAIL() << "not refused";
  } catch (const hw::InputError& error) {
    EXPECT_EQ(std::string(error.what()).rfind("s.json", 0), 0u) << error.what();
    for (const std::string& word : GetParam().words) {
      EXPECT_NE(std::string(error.what()).find(word), std::string::npos) << word << " in: " << error.what();
    }
  }
}

INSTANTIATE_TEST_SUITE_P(
    All, BadSchedule,
    testing::Values(Bad{"empty", "", {"s.json:1:1"}}, Bad{"no_json", "{\n \"rounds\": x\n}", {"s.json:2:12"}},
                    Bad{"cut", "{\"rounds\": [[[\"NYC\"", {"s.json:1:"}}, Bad{"list", "[]", {"object"}},
                    Bad{"nothing", "{}", {"rounds"}},
                    Bad{"both", R"({"rounds":[], "candidates":[]})", {"either"}},
                    Bad{"unknown_key", R"({"runds": []})", {"runds", "rounds"}},
                    Bad{"doubled_key", R"({"rounds": [], "rounds": []})", {"twice"}},
                    Bad{"format", R"({"format": "fredsim-trace", "rounds": []})", {"/format"}},
                    Bad{"version", R"({"version": 2, "rounds": []})", {"/version"}},
                    Bad{"no_rounds", R"({"rounds": []})", {"/rounds"}},
                    Bad{"empty_round", R"({"rounds": [[]]})", {"/rounds/0"}},
                    Bad{"empty_clique", R"({"rounds": [[[]]]})", {"/rounds/0/0"}},
                    Bad{"unknown_site", R"({"rounds": [[["NYC", "LUN"]]]})", {"/rounds/0/0/1", "LUN", "LON"}},
                    Bad{"number", R"({"rounds": [[[1]]]})", {"/rounds/0/0/0"}},
                    Bad{"site_twice", R"({"rounds": [[["NYC", "LON"], ["LON"]]]})", {"/rounds/0/1/0", "LON"}},
                    Bad{"other_sites", R"({"sites": ["NYC"], "rounds": [[["NYC"]]]})", {"/sites", "9"}},
                    Bad{"best", R"({"candidates": [{"rounds": [[["NYC"]]]}], "best": 1})", {"/best"}},
                    Bad{"candidate_key", R"({"candidates": [{"round": []}]})", {"/candidates/0", "rounds"}},
                    Bad{"candidate_without", R"({"candidates": [{}]})", {"/candidates/0", "missing"}}),
    [](const auto& tested) { return std::string(tested.param.name); });

}  // namespace
}  // namespace fredsim::agg::test
