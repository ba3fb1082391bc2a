// `fredsim schedule`: the published crossovers from the program, its file replayed into itself, bad input.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "tb/tests/cli/program.h"

namespace fredsim::tb::test {
namespace {

const char* const two_schedules =
    R"({"candidates": [
 {"rounds": [[["NYC","CHI","LAX"],["LON","FRA","AMS"],["TYO","SEO","SIN"]],
             [["NYC","LON","SIN"],["CHI","FRA","TYO"],["LAX","AMS","SEO"]]]},
 {"rounds": [[["NYC","CHI","LAX","LON","FRA","AMS","TYO","SEO","SIN"]]]}]})";

std::string nine_city() {
  return source_path("tb/configs/nine_city.yaml");
}

nlohmann::json answer(std::vector<std::string> arguments, const Folder& folder) {
  arguments.insert(arguments.begin(), {"schedule", nine_city()});
  arguments.insert(arguments.end(), {"--json", "s.json"});
  const Outcome outcome = fredsim(arguments, folder.path());
  EXPECT_EQ(outcome.exit_code, 0) << outcome.error;
  return nlohmann::json::parse(read_file(folder / "s.json"));
}

TEST(ScheduleCommand, TimesGivenSchedulesAndFindsTheirCrossover) {
  const Folder folder;
  write_file(folder / "two.json", two_schedules);
  const auto slow = answer({"--rounds", "two.json", "--memory", "44.7MB", "--bandwidth", "10Gb/s"}, folder);
  EXPECT_NEAR(slow["crossover_bytes"].get<double>(), 133.9e6, 0.05 * 133.9e6);
  EXPECT_NEAR(slow["candidates"][0]["total_ns"].get<double>(), 1.821e9, 0.001e9);
  EXPECT_NEAR(slow["candidates"][1]["total_ns"].get<double>(), 5.193e9, 0.001e9);
  const auto fast = answer({"--rounds", "two.json", "--bandwidth", "100Gb/s"}, folder);
  EXPECT_NEAR(fast["crossover_bytes"].get<double>(), 902e6, 0.05 * 902e6);
  EXPECT_EQ(fast["candidates"][0]["rounds"].size(), 1u);  // all at once, with unlimited memory
}

TEST(ScheduleCommand, WhatItWritesItReads) {
  const Folder folder;
  const auto found = answer({"--memory", "88.2MB"}, folder);
  EXPECT_EQ(found["format"], "fredsim-schedule");
  EXPECT_EQ(found["version"], 1);
  EXPECT_EQ(found["sites"].size(), 9u);
  EXPECT_EQ(found["candidates"][0]["rounds"].size(), 2u);
  EXPECT_EQ(found["candidates"][0]["exact"], true);
  EXPECT_EQ(found["best"], 0);
  std::filesystem::rename(folder / "s.json", folder / "found.json");
  const auto again = answer({"--memory", "88.2MB", "--rounds", "found.json"}, folder);
  EXPECT_EQ(again, found);
}

TEST(ScheduleCommand, SharedLinksHaveNoCrossover) {
  const Folder folder;
  write_file(folder / "two.json", two_schedules);
  const auto shared = answer({"--rounds", "two.json", "--contention", "all_links"}, folder);
  EXPECT_TRUE(shared["crossover_bytes"].is_null());
  EXPECT_NEAR(shared["candidates"][0]["total_ns"].get<double>(), 5.02e9, 0.005e9);
  EXPECT_NEAR(shared["candidates"][1]["total_ns"].get<double>(), 6.52e9, 0.005e9);
}

/// Seoul's only line is slow: to cross it once, all nine at once, is then best, and the summary says what
/// limits.
TEST(ScheduleCommand, UnevenLinksChangeTheBest) {
  const Folder folder;
  std::string text = read_file(nine_city());
  const std::string from = "from: SEO, to: TYO, latency: 8.21 ms, bandwidth: 10 Gb/s";
  ASSERT_NE(text.find(from), std::string::npos);
  text.replace(text.find(from), from.size(), "from: SEO, to: TYO, latency: 8.21 ms, bandwidth: 1 Gb/s");
  write_file(folder / "uneven.yaml", text);
  const auto best = [&](const std::string& topology, const std::string& contention) {
    const Outcome outcome =
        fredsim({"schedule", topology, "--memory", "44.7MB", "--contention", contention, "--json", "s.json"},
                folder.path());
    EXPECT_EQ(outcome.exit_code, 0) << outcome.error;
    const auto json = nlohmann::json::parse(read_file(folder / "s.json"));
    return std::make_pair(json["candidates"][json["best"].get<std::size_t>()]["rounds"].size(), outcome.out);
  };
  EXPECT_EQ(best(nine_city(), "access_only").first, 2u);
  const auto [rounds, summary] = best("uneven.yaml", "access_only");
  EXPECT_EQ(rounds, 1u);
  EXPECT_NE(summary.find("1 Gb/s by access of SEO"), std::string::npos) << summary;
  const std::string shared = best("uneven.yaml", "all_links").second;
  EXPECT_NE(shared.find("by link TYO>SEO"), std::string::npos) << shared;
}

struct Bad {
  const char* name;
  std::vector<std::string> arguments;
  std::vector<std::string> words;
};
std::ostream& operator<<(std::ostream& out, const Bad& bad) {
  return out << bad.name;
}
class BadSchedule : public testing::TestWithParam<Bad> {};

TEST_P(BadSchedule, IsRefused) {
  const Folder folder;
  write_file(folder / "t.yaml",
             "sites: [A, B]\nlinks:\n  - {from: A, to: B, latency: 1 ms, bandwidth: 1 Gb/s}\n");
  write_file(folder / "bad.yaml",
             "sites: [A, B]\nlinks:\n  - {from: A, to: C, latency: 1 ms, bandwidth: 1 Gb/s}\n");
  write_file(folder / "r.json", "{\"rounds\": [[[\"A\", \"X\"]]]}");
  std::vector<std::string> arguments = {"schedule"};
  arguments.insert(arguments.end(), GetParam().arguments.begin(), GetParam().arguments.end());
  const Outcome outcome = fredsim(arguments, folder.path());
  EXPECT_EQ(outcome.exit_code, 2);
  EXPECT_EQ(outcome.out, "");
  for (const std::string& word : GetParam().words) {
    EXPECT_NE(outcome.error.find(word), std::string::npos) << word << " in: " << outcome.error;
  }
}

INSTANTIATE_TEST_SUITE_P(
    Program, BadSchedule,
    testing::Values(Bad{"no_topology", {}, {"TOPOLOGY"}}, Bad{"missing_file", {"none.yaml"}, {"none.yaml"}},
                    Bad{"bad_topology", {"bad.yaml"}, {"bad.yaml:3:", "'C'"}},
                    Bad{"bare_memory", {"t.yaml", "--memory", "88.2"}, {"--memory", "unit"}},
                    Bad{"no_memory", {"t.yaml", "--memory", "0 B"}, {"--memory"}},
                    Bad{"no_size", {"t.yaml", "--size", "0 B"}, {"--size"}},
                    Bad{"bandwidth", {"t.yaml", "--bandwidth", "10 GB"}, {"--bandwidth"}},
                    Bad{"contention", {"t.yaml", "--contention", "all_link"}, {"all_links"}},
                    Bad{"start", {"t.yaml", "--start", "aligned"}, {"--start", "simultaneous"}},
                    Bad{"objective", {"t.yaml", "--objective", "speed"}, {"--objective", "contraction"}},
                    Bad{"rounds", {"t.yaml", "--rounds", "r.json"}, {"r.json: /rounds/0/0/1", "X"}},
                    Bad{"over_the_topology", {"t.yaml", "--json", "t.yaml"}, {"--json"}},
                    Bad{"unwritable", {"t.yaml", "--json", "none/s.json"}, {"--json"}}),
    [](const auto& tested) { return std::string(tested.param.name); });

}  // namespace
}  // namespace fredsim::tb::test
