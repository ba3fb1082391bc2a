// `fredsim run --timeline`: the file holds what the result file says, span by span.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "tb/tests/cli/program.h"

namespace fredsim::tb::test {
namespace {

using nlohmann::json;

struct Bar {
  std::string place, row, name, category;
  double begin_ns = 0, end_ns = 0;
};

struct TimelineRun {
  json result, timeline;
  std::vector<Bar> bars;

  TimelineRun(const std::string& config, const std::string& trace, const std::vector<std::string>& more) {
    const Folder folder;
    std::vector<std::string> arguments{
        "run",        config,           "--trace", trace, "--no-data", "--json", folder / "r.json",
        "--timeline", folder / "t.json"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    const Outcome outcome = fredsim(arguments);
    EXPECT_TRUE(outcome.exit_code == 0 || outcome.exit_code == 3) << outcome.error;
    result = json::parse(read_file(folder / "r.json"));
    timeline = json::parse(read_file(folder / "t.json"));
    std::map<int, std::string> places;
    std::map<std::pair<int, int>, std::string> rows;
    for (const json& e : timeline["traceEvents"]) {
      const int process = e["pid"], thread = e["tid"];
      if (e["ph"] == "M") {
        if (e["name"] == "process_name") places[process] = e["args"]["name"];
        if (e["name"] == "thread_name") rows[{process, thread}] = e["args"]["name"];
        continue;
      }
      EXPECT_EQ(e["ph"], "X");
      const double begin = e["args"]["start_ns"], duration = e["args"]["duration_ns"];
      EXPECT_NEAR(e["ts"].get<double>() * 1000, begin, 1e-6 + 1e-12 * begin);
      EXPECT_NEAR(e["dur"].get<double>() * 1000, duration, 1e-6);
      bars.push_back(
          {places.at(process), rows.at({process, thread}), e["name"], e["cat"], begin, begin + duration});
    }
  }

  void expect_rows_without_overlap() const {
    std::map<std::string, double> free_at;
    for (const Bar& bar : bars) {
      double& free = free_at[bar.place + "/" + bar.row];
      EXPECT_GE(bar.begin_ns, free - 1e-6) << bar.place << " " << bar.row << " " << bar.name;
      EXPECT_LE(bar.begin_ns, bar.end_ns);
      EXPECT_LE(bar.end_ns, result["simulated_ns"].get<double>() + 1e-6);
      free = bar.end_ns;
    }
  }
};

const std::set<std::string> kinds{"mp", "pp", "dp", "stream", "load"};

TEST(TimelineCommand, OperationsAndExposuresEqualTheResults) {
  const TimelineRun run(configuration("fred_d"), source_path("docs/examples-data/overlap_20npus.jsonl"), {});
  run.expect_rows_without_overlap();
  for (const json& operation : run.result["operations"]) {
    double begin = 1e300, end = -1;
    std::set<std::string> places;
    for (const Bar& bar : run.bars) {
      if (bar.name != operation["id"]) continue;
      places.insert(bar.place);
      begin = std::min(begin, bar.begin_ns);
      end = std::max(end, bar.end_ns);
    }
    EXPECT_EQ(places.size(), operation["npus"].size()) << operation["id"];
    EXPECT_NEAR(begin, operation["start_ns"].get<double>(), 1e-6);
    EXPECT_NEAR(end, operation["end_ns"].get<double>(), 1e-6);
  }
  std::map<std::string, std::map<std::string, double>> exposed;
  std::map<std::string, double> computed;
  for (const Bar& bar : run.bars) {
    if (bar.row == "exposed") exposed[bar.place][bar.category] += bar.end_ns - bar.begin_ns;
    if (bar.category == "compute") computed[bar.place] += bar.end_ns - bar.begin_ns;
  }
  double all = 0;
  for (const json& npu : run.result["npus"]) {
    const std::string place = "npu" + std::to_string(npu["id"].get<int>());
    EXPECT_NEAR(computed[place], npu["compute_ns"].get<double>(), 1e-5);
    for (const std::string& kind : kinds) {
      EXPECT_NEAR(exposed[place][kind], npu["exposed_ns"][kind].get<double>(), 1e-5) << place << " " << kind;
      all += exposed[place][kind];
    }
  }
  EXPECT_GT(all, 0);
}

TEST(TimelineCommand, PacketsOfChosenFlowsEqualTheirStatistics) {
  const TimelineRun run(configuration("single_switch"), source_path("docs/examples-data/two_flows.jsonl"),
                        {"--timeline-flow", "*"});
  run.expect_rows_without_overlap();
  std::map<std::string, std::vector<double>> latencies;
  for (const Bar& bar : run.bars) {
    if (bar.category != "packet") continue;
    // Packets that are under way at once stand in rows "FLOW", "FLOW 2", ...
    latencies[bar.row.substr(0, bar.row.find(' '))].push_back(bar.end_ns - bar.begin_ns);
  }
  ASSERT_FALSE(run.result["flows"].empty());
  for (const json& flow : run.result["flows"]) {
    const std::vector<double>& of_flow = latencies[flow["id"].get<std::string>()];
    ASSERT_EQ(of_flow.size(), flow["packets"].get<std::size_t>()) << flow["id"];
    if (of_flow.empty()) continue;
    EXPECT_NEAR(*std::max_element(of_flow.begin(), of_flow.end()), flow["latency_ns"]["max"].get<double>(),
                1e-6);
    EXPECT_NEAR(*std::min_element(of_flow.begin(), of_flow.end()), flow["latency_ns"]["min"].get<double>(),
                1e-6);
  }
}

TEST(TimelineCommand, StallsAddUpToTheResults) {
  const TimelineRun run(configuration("single_switch"), sample("all_gather_8npus"),
                        {"--timeline-stalls", "1 fs", "--set", "buffer.dp=8 KiB"});
  run.expect_rows_without_overlap();
  std::map<std::string, double> sums;
  for (const Bar& bar : run.bars) {
    if (bar.category == "stall") sums[bar.place + " " + bar.name] += bar.end_ns - bar.begin_ns;
  }
  double no_credit = 0;
  for (const json& link : run.result["links"]) {
    const std::string name = link["name"];
    if (name.rfind("npu", 0) != 0) continue;
    const std::string npu = name.substr(0, name.find('_'));
    EXPECT_NEAR(sums[npu + " no_credit"], link["stalled_ns"]["no_credit"].get<double>(), 1e-3) << name;
    EXPECT_NEAR(sums[npu + " link_busy"], link["stalled_ns"]["link_busy"].get<double>(), 1e-3) << name;
    no_credit += link["stalled_ns"]["no_credit"].get<double>();
  }
  EXPECT_GT(no_credit, 0);
}

TEST(TimelineCommand, ARunThatIsCutOffShowsWhatWasUnderWay) {
  const TimelineRun run(configuration("fred_d"), source_path("docs/examples-data/overlap_20npus.jsonl"),
                        {"--until", "300 ns"});
  run.expect_rows_without_overlap();
  const auto last = std::count_if(run.timeline["traceEvents"].begin(), run.timeline["traceEvents"].end(),
                                  [](const json& e) { return e["args"].contains("unfinished"); });
  EXPECT_GT(last, 0);
}

TEST(TimelineCommand, RoundsOfAWanEqualTheResults) {
  const Folder folder;
  write_file(folder / "s.json", R"({"rounds":[[["NYC","CHI","LAX"],["LON","FRA","AMS"],["TYO","SEO","SIN"]],
                                              [["NYC","LON","SIN"],["CHI","FRA","TYO"],["LAX","AMS","SEO"]]]})");
  const Outcome outcome =
      fredsim({"run", configuration("wan9"), "--schedule", folder / "s.json", "--no-data", "--set",
               "wan.update=2 MB", "--json", folder / "r.json", "--timeline", folder / "t.json"});
  ASSERT_EQ(outcome.exit_code, 0) << outcome.error;
  const json result = json::parse(read_file(folder / "r.json"));
  const json timeline = json::parse(read_file(folder / "t.json"));
  std::map<std::string, int> bars;
  for (const json& e : timeline["traceEvents"]) {
    if (e["ph"] != "X") continue;
    ++bars[e["name"]];
    for (const json& operation : result["operations"]) {
      if (operation["id"] != e["name"]) continue;
      EXPECT_NEAR(e["args"]["start_ns"].get<double>(), operation["start_ns"].get<double>(), 1e-6);
      EXPECT_NEAR(e["args"]["duration_ns"].get<double>(),
                  operation["end_ns"].get<double>() - operation["start_ns"].get<double>(), 1e-3);
    }
  }
  ASSERT_EQ(bars.size(), result["operations"].size());
  for (const auto& [name, count] : bars) EXPECT_EQ(count, 3) << name;
}

TEST(TimelineCommand, RefusesWhatItDoesNotKnow) {
  const Folder folder;
  const std::vector<std::string> run{"run", configuration("single_switch"), "--trace",
                                     source_path("docs/examples-data/two_flows.jsonl")};
  const auto with = [&](std::vector<std::string> more) {
    more.insert(more.begin(), run.begin(), run.end());
    return fredsim(more);
  };
  const Outcome none = with({"--timeline", folder / "t.json", "--timeline-flow", "nothing*"});
  EXPECT_EQ(none.exit_code, 2);
  EXPECT_NE(none.error.find("--timeline-flow nothing*: no flow has such a name"), std::string::npos)
      << none.error;
  EXPECT_EQ(with({"--timeline-flow", "*"}).exit_code, 2);
  EXPECT_EQ(with({"--timeline-stalls", "1ns"}).exit_code, 2);
  EXPECT_EQ(with({"--timeline", folder / "t.json", "--timeline-stalls", "1"}).exit_code, 2);
  EXPECT_EQ(with({"--timeline", folder / "t.json", "--json", folder / "t.json"}).exit_code, 2);
  EXPECT_EQ(with({"--timeline", folder / "no/t.json"}).exit_code, 2);
}

}  // namespace
}  // namespace fredsim::tb::test
