// What the intervals of a run say adds up to what its result says.
#include <gtest/gtest.h>

#include <map>
#include <sstream>

#include "tb/tests/system/faulty_npu.h"
#include "tb/tests/system/simulate.h"

namespace fredsim::tb::test {
namespace {

using Sums = std::map<std::string, double>;  ///< by "name quantity"

struct Sampled {
  nlohmann::json result;
  std::string csv;
};

Sampled with_intervals(Replay replay, hw::Time interval) {
  const Configuration configuration = configuration_of(replay);
  const auto text = nlohmann::json::parse(apart([&] {
    std::ostringstream csv;
    replay.options.intervals = &csv;
    replay.options.interval = interval;
    Simulation simulation(configuration, replay.workload, replay.options, replay.factories);
    const nlohmann::json result = to_json(simulation.run());
    return nlohmann::json{{"result", result}, {"csv", csv.str()}}.dump();
  }));
  Sampled outcome{text["result"], text["csv"]};
  outcome.result.erase("performance");
  return outcome;
}

/// Sums up the lines, means as byte nanoseconds; checks that no interval is out of place.
Sums sums_of(const std::string& csv, double interval_ns, double end_ns) {
  std::istringstream in(csv);
  std::string line;
  std::getline(in, line);
  EXPECT_EQ(line, "start_ns,end_ns,name,quantity,value");
  Sums sums;
  double last = 0;
  while (std::getline(in, line)) {
    std::istringstream fields(line);
    std::string start, end, name, quantity, value;
    std::getline(fields, start, ','), std::getline(fields, end, ','), std::getline(fields, name, ',');
    std::getline(fields, quantity, ','), std::getline(fields, value, ',');
    const double length = std::stod(end) - std::stod(start);
    EXPECT_GE(std::stod(end), last) << line;
    last = std::stod(end);
    if (std::stod(end) < end_ns) {
      EXPECT_NEAR(std::remainder(length, interval_ns), 0, 1e-5) << line;
    }
    const bool per_time = quantity.size() > 3 && quantity.substr(quantity.size() - 3) == "_ns";
    if (per_time && quantity == "busy_ns") {
      EXPECT_LE(std::stod(value), length + 1e-5) << line;
    }
    sums[name + " " + quantity] += quantity == "mean_bytes" ? std::stod(value) * length : std::stod(value);
  }
  EXPECT_LE(last, end_ns + 1e-5);
  return sums;
}

/// `lines` is how many values of the CSV were used.
void expect_totals(const Sampled& outcome, double interval_ns) {
  const nlohmann::json& result = outcome.result;
  const double end_ns = result["simulated_ns"];
  Sums sums = sums_of(outcome.csv, interval_ns, end_ns);
  const auto expect = [&](const nlohmann::json& of, const char* quantity, double total) {
    const std::string key = of["name"].get<std::string>() + " " + quantity;
    EXPECT_NEAR(sums[key], total, 1e-6 * total + 1e-4) << key;  // lines have twelve digits
    sums.erase(key);
  };
  for (const auto& link : result["links"]) {
    for (const char* key : {"bytes", "packets", "control_bytes", "control_packets"})
      expect(link, key, link[key]);
    expect(link, "busy_ns", link["utilization"].get<double>() * end_ns);
    expect(link, "no_credit_ns", link["stalled_ns"]["no_credit"]);
    expect(link, "link_busy_ns", link["stalled_ns"]["link_busy"]);
  }
  for (const auto& buffer : result["buffers"])
    expect(buffer, "mean_bytes", buffer["mean_bytes"].get<double>() * end_ns);
  for (const auto& s : result["switches"]) {
    for (const char* key : {"partner_missing", "other_route_set", "no_staging"})
      expect(s, (std::string(key) + "_ns").c_str(), s["stalled_ns"][key]);
    for (const char* key : {"reconfigurations", "reconfiguring_ns", "loading_ns", "preemptions"})
      expect(s, key, s[key]);
    for (const char* name : {"mp", "pp", "dp"})
      expect(s, (std::string("served_") + name + "_ns").c_str(), s["served_ns"][name]);
  }
  EXPECT_TRUE(sums.empty()) << sums.begin()->first;
}

/// All classes, skew, short of credit and staging.
Replay pressed() {
  Replay replay;
  replay.workload = workload_of(R"(
    {"id":"c","type":"compute","npus":[0],"ns":300}
    {"id":"late","type":"compute","npus":[5],"ns":5000}
    {"id":"d","type":"all_reduce","npus":[0,1,2,3,4,5,6,7],"bytes":300000,"class":"dp"}
    {"id":"m","type":"all_reduce","npus":[0,3],"bytes":200000,"class":"mp","after":["c"]}
    {"id":"b","type":"barrier","npus":[1,2],"class":"pp"}
    {"id":"p","type":"broadcast","npus":[4,5,6],"root":4,"bytes":100000,"class":"pp"}
    {"id":"x","type":"all_to_all","npus":[0,1,2],"bytes":30000,"class":"pp","after":["b"]}
    {"id":"z","type":"reduce","npus":[5,6],"root":6,"bytes":9000,"class":"mp","after":["late"]})");
  replay.sets = {"buffer.dp=8 KiB", "switch.staging=1"};
  return replay;
}

TEST(Intervals, AddUpToTheTotals) {
  for (const double ns : {10.0, 100.0, 333.0, 100000.0}) {
    SCOPED_TRACE(ns);
    expect_totals(with_intervals(pressed(), hw::Time::fs(static_cast<std::int64_t>(ns * 1e6))), ns);
  }
}

TEST(Intervals, ChangeNothingInTheResult) {
  EXPECT_EQ(simulate(pressed()), with_intervals(pressed(), hw::Time::fs(7'000'000)).result);
}

TEST(Intervals, AddUpWhenARunIsCutOffOrHangs) {
  Replay cut = pressed();
  cut.options.until = hw::Time::fs(777'777'777);
  cut.options.monitors = false;
  expect_totals(with_intervals(cut, hw::Time::fs(50'000'000)), 50);

  Replay hang;
  hang.workload = workload_of(R"(
    {"id":"a","type":"all_reduce","npus":[0,1,2],"bytes":50000,"class":"mp"}
    {"id":"p","type":"all_reduce","npus":[3,4],"bytes":50000,"class":"pp"})");
  hang.factories = with_silent(2);
  expect_totals(with_intervals(hang, hw::Time::fs(5'000'000)), 5);
}

/// A run of a second with nothing to tell is not a million empty intervals.
TEST(Intervals, SkipWhatIsEmpty) {
  Replay replay;
  replay.workload = workload_of(R"(
    {"id":"c","type":"compute","npus":[0],"ns":1000000000}
    {"id":"a","type":"all_reduce","npus":[0,1],"bytes":5000,"after":["c"]})");
  const Sampled outcome = with_intervals(replay, hw::Time::fs(1'000'000));
  EXPECT_LT(outcome.csv.size(), 20000u);
  expect_totals(outcome, 1);
}

}  // namespace
}  // namespace fredsim::tb::test
