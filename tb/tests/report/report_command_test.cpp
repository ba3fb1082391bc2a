// `fredsim report`: what the page says is what the files say.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <regex>

#include "tb/tests/cli/program.h"
#include "tb/tests/report/sweep_database.h"

namespace fredsim::tb::test {
namespace {

using nlohmann::json;

void run_wafer(const Folder& folder, const std::string& name) {
  const Outcome outcome =
      fredsim({"run", configuration("fred_d"), "--trace",
               source_path("docs/examples-data/overlap_20npus.jsonl"), "--no-data", "--histograms", "--json",
               folder / (name + ".json"), "--timeline", folder / (name + ".timeline.json")});
  ASSERT_EQ(outcome.exit_code, 0) << outcome.error;
}

std::string page_of(const Folder& folder) {
  const Outcome outcome = fredsim({"report", folder.path()});
  EXPECT_EQ(outcome.exit_code, 0) << outcome.error;
  EXPECT_EQ(outcome.error, "");
  return read_file(folder / "report.html");
}

std::size_t count(const std::string& text, const std::string& part) {
  std::size_t n = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++n;
  return n;
}

/// The rows of the table under a summary, cell by cell.
std::vector<std::vector<std::string>> rows_of(const std::string& page, const std::string& summary) {
  const std::size_t begin = page.find("<tbody>", page.find("<summary>" + summary));
  const std::string body = page.substr(begin, page.find("</tbody>", begin) - begin);
  std::vector<std::vector<std::string>> rows;
  const std::regex cell("<tr>|<td[^>]*>([^<]*)</td>");
  for (std::sregex_iterator at(body.begin(), body.end(), cell), end; at != end; ++at) {
    if (at->str() == "<tr>") {
      rows.emplace_back();
    } else {
      rows.back().push_back(at->str(1));
    }
  }
  return rows;
}

TEST(Report, OfAWaferHasEveryNumberOfTheResult) {
  const Folder folder;
  run_wafer(folder, "r");
  const std::string page = page_of(folder);
  const json result = json::parse(read_file(folder / "r.json"));
  const auto links = rows_of(page, "links");
  ASSERT_EQ(links.size(), result["links"].size());
  for (std::size_t i = 0; i < links.size(); ++i) {
    const json& link = result["links"][i];
    EXPECT_EQ(links[i][0], link["name"].get<std::string>());
    EXPECT_EQ(json::parse(links[i][1]), link["bytes"]);
    EXPECT_EQ(json::parse(links[i][5]), link["utilization"]);
    // Its line in the picture says the same.
    const std::string tip = link["name"].get<std::string>() + ": utilization " + link["utilization"].dump();
    EXPECT_EQ(count(page, "<title>" + tip + "</title>"), 1u) << tip;
  }
  const auto operations = rows_of(page, "operations");
  ASSERT_EQ(operations.size(), result["operations"].size());
  for (std::size_t i = 0; i < operations.size(); ++i) {
    EXPECT_EQ(operations[i][0], result["operations"][i]["id"].get<std::string>());
    EXPECT_EQ(json::parse(operations[i][6]), result["operations"][i]["start_ns"]);
    EXPECT_EQ(json::parse(operations[i][7]), result["operations"][i]["end_ns"]);
  }
  for (const json& npu : result["npus"]) {
    if (npu["exposed_ns"]["dp"] == 0.0) continue;
    EXPECT_NE(page.find("npu" + npu["id"].dump() + ": exposed_ns.dp " + npu["exposed_ns"]["dp"].dump()),
              std::string::npos);
  }
  // Every bar of operations and exposures of the timeline is drawn.
  const json timeline = json::parse(read_file(folder / "r.timeline.json"));
  std::size_t bars = 0;
  for (const json& e : timeline["traceEvents"]) bars += e["ph"] == "X";
  EXPECT_EQ(count(page, " ns, for "), bars);
  for (const char* drawn : {"Topology, links coloured", "Operations over time", "How the time is spent",
                            "Histograms of occupancy", "cost.area_mm2"}) {
    EXPECT_NE(page.find(drawn), std::string::npos) << drawn;
  }
  EXPECT_NE(page.find("fredsim run " + configuration("fred_d")), std::string::npos);
}

TEST(Report, RefersToNothingOutside) {
  const Folder folder;
  run_wafer(folder, "r");
  const std::string page = page_of(folder);
  EXPECT_EQ(page.find("http:"), std::string::npos);
  EXPECT_EQ(page.find("https:"), std::string::npos);
  EXPECT_EQ(page.find("src="), std::string::npos);
  EXPECT_EQ(page.find("@import"), std::string::npos);
  EXPECT_EQ(page.find("url("), std::string::npos);
}

TEST(Report, IsTheSameEveryTime) {
  const Folder folder;
  run_wafer(folder, "r");
  const std::string page = page_of(folder);
  EXPECT_EQ(page_of(folder), page);
}

TEST(Report, OfAWanShowsSitesAndRounds) {
  const Folder folder;
  write_file(folder / "s.json",
             R"({"rounds":[[["NYC","CHI","LAX"],["LON","FRA","AMS"],["TYO","SEO","SIN"]]]})");
  std::filesystem::create_directory(folder / "d");
  const Outcome run = fredsim({"run", configuration("wan9"), "--schedule", folder / "s.json", "--no-data",
                               "--set", "wan.update=2 MB", "--histograms", "--json", folder / "d/w.json"});
  ASSERT_EQ(run.exit_code, 0) << run.error;
  ASSERT_EQ(fredsim({"report", folder / "d"}).exit_code, 0);
  const std::string page = read_file(folder / "d/report.html");
  const json result = json::parse(read_file(folder / "d/w.json"));
  EXPECT_EQ(rows_of(page, "sites").size(), 9u);
  EXPECT_EQ(rows_of(page, "aggregators").size(), 9u);
  for (const json& link : result["links"]) {
    const std::string name = std::regex_replace(link["name"].get<std::string>(), std::regex(">"), "&gt;");
    EXPECT_EQ(count(page, "<title>" + name + ": utilization " + link["utilization"].dump() + "</title>"), 1u)
        << name;
  }
  EXPECT_NE(page.find("round1/NYC+CHI+LAX, from 0.0 ns"), std::string::npos);
  EXPECT_GT(result["cost"]["energy_j"].get<double>(), 0);
  for (const json& aggregator : result["aggregators"]) {
    double time = 0;
    for (const json& ns : aggregator["histogram"]["ns"]) time += ns.get<double>();
    EXPECT_NEAR(time, result["simulated_ns"].get<double>(), 1e-3) << aggregator["name"];
  }
}

TEST(Report, OfASweepMarksKneeAndAnswer) {
  const Folder folder;
  write_sweep(folder / "sweep.sqlite");
  const std::string page = page_of(folder);
  // By hand, x and y from 0 to 1: point 2 (1/7, 0.6 of the fall) lies 0.32 off the line between the ends,
  // point 3 (2/7, 0.8) 0.36, point 4 (3/7, 0.9) 0.33.
  EXPECT_EQ(count(page, "<title>knee: point 3: buffer.dp_bytes = 12288.0"), 1u);
  EXPECT_EQ(count(page, "point 6: buffer.dp_bytes = 24576.0, simulated_ns = 133.333333, an answer"), 2u);
  EXPECT_EQ(rows_of(page, "8 points").size(), 8u);
  EXPECT_NE(page.find("config: a.yaml &lt;here&gt;"), std::string::npos);
  EXPECT_NE(page.find("buffer.dp=16 KiB"), std::string::npos);
  EXPECT_NE(page.find("Time against <code>cost.area_mm2</code>"), std::string::npos);
  EXPECT_EQ(page.find("Time against <code>cost.energy_j</code>"), std::string::npos);  // it does not vary
}

TEST(Report, RefusesWhatItCannotShow) {
  const Folder folder;
  const auto refusal = [&](const std::string& path) {
    const Outcome outcome = fredsim({"report", path});
    EXPECT_EQ(outcome.exit_code, 2);
    return outcome.error;
  };
  EXPECT_NE(refusal(folder.path()).find("holds nothing to report"), std::string::npos);
  EXPECT_NE(refusal(folder / "none").find("cannot be read as a folder"), std::string::npos);
  write_file(folder / "a.json", "{\"format\": \"fredsim-result\", \"version\": 1");
  EXPECT_NE(refusal(folder.path()).find("a.json: is no JSON"), std::string::npos);
  write_file(folder / "a.json", "{\"format\": \"fredsim-result\", \"version\": 1}");
  EXPECT_NE(refusal(folder.path()).find("a.json: config is missing"), std::string::npos);
  write_file(folder / "a.json", "{\"format\": \"fredsim-result\", \"version\": 2}");
  EXPECT_NE(refusal(folder.path()).find("a.json: version 1"), std::string::npos);
  write_file(
      folder / "a.json",
      "{\"format\": \"fredsim-result\", \"version\": 1, \"config\": {}, \"simulated_ns\": 1, \"status\": "
      "\"ok\", "
      "\"operations\": [7], \"links\": [], \"npus\": [], \"buffers\": [], \"switches\": [], \"flows\": []}");
  EXPECT_NE(refusal(folder.path()).find("a.json"), std::string::npos);
  write_file(folder / "a.json", "[1]");
  write_file(folder / "x.sqlite",
             "no database at all, but long enough to be looked at: " + std::string(4096, 'x'));
  EXPECT_NE(refusal(folder.path()).find("x.sqlite"), std::string::npos);
  EXPECT_FALSE(std::filesystem::exists(folder / "report.html"));
}

TEST(Report, NamesWhatItLeavesOut) {
  const Folder folder;
  run_wafer(folder, "r");
  write_file(folder / "other.json", "[1, 2]");
  std::filesystem::copy_file(folder / "r.timeline.json", folder / "lone.timeline.json");
  const Outcome outcome = fredsim({"report", folder.path(), "-o", folder / "p.html"});
  EXPECT_EQ(outcome.exit_code, 0) << outcome.error;
  EXPECT_NE(outcome.out.find("left out  other.json"), std::string::npos) << outcome.out;
  EXPECT_NE(outcome.out.find("left out  lone.timeline.json"), std::string::npos) << outcome.out;
  EXPECT_FALSE(std::filesystem::exists(folder / "report.html"));
  const std::string page = read_file(folder / "p.html");
  EXPECT_NE(page.find("<li>other.json"), std::string::npos);
}

}  // namespace
}  // namespace fredsim::tb::test
