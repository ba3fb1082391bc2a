// fredsim-bench with tiny sizes: that it measures and what its keys are called, not how fast anything is.
#include <gtest/gtest.h>

#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "tb/tests/cli/program.h"

namespace fredsim::tb::test {
namespace {

/// What a run reports, by the name of the benchmark.
std::map<std::string, nlohmann::json> bench(std::vector<std::string> arguments) {
  arguments.insert(arguments.end(), {"--benchmark_format=json", "--hops", "20000", "--route-sets", "5"});
  const Outcome outcome = run_program(BENCH_PROGRAM, arguments);
  EXPECT_EQ(outcome.exit_code, 0) << outcome.error;
  std::map<std::string, nlohmann::json> reports;
  const nlohmann::json output = nlohmann::json::parse(outcome.out);
  for (const nlohmann::json& report : output.at("benchmarks")) {
    EXPECT_FALSE(report.contains("error_message")) << report.dump(1);
    std::string name = report["run_name"];
    for (const char* suffix : {"/manual_time", "/iterations:1", "/iterations:5"}) {
      if (const auto at = name.find(suffix); at != std::string::npos)
        name.erase(at, std::string(suffix).size());
    }
    reports[name] = report;
  }
  return reports;
}

TEST(Bench, MeasuresSystemsInEveryMode) {
  const auto reports = bench({"--benchmark_filter=^(bare_hop|single_switch/)"});
  EXPECT_EQ(reports.size(), 6u);
  EXPECT_GT(reports.at("bare_hop")["packet_hops_per_s"], 0);
  EXPECT_EQ(reports.at("bare_hop")["packet_hops"], 20000);
  EXPECT_GT(reports.at("single_switch/elaboration")["real_time"], 0);
  for (const char* mode : {"timing", "data", "waveform", "monitors"}) {
    SCOPED_TRACE(mode);
    const nlohmann::json& report = reports.at(std::string("single_switch/") + mode);
    EXPECT_NEAR(report["packet_hops"].get<double>(), 20000, 200);
    for (const char* key : {"packet_hops_per_s", "ns_per_packet_hop", "bare_hop_ns",
                            "bare_hops_per_packet_hop", "kernel_events_per_packet_hop", "peak_rss_bytes"}) {
      EXPECT_GT(report.at(key), 0) << key;
    }
    EXPECT_GE(report.at("allocations_per_packet_hop"), 0);
  }
  EXPECT_EQ(reports.at("single_switch/timing")["allocations_per_packet_hop"], 0);
  EXPECT_LE(reports.at("single_switch/timing")["kernel_events_per_packet_hop"], 1);
}

TEST(Bench, MeasuresRouting) {
  const auto reports = bench({"--benchmark_filter=^route/", "--route-ports", "8,12", "--seed", "3"});
  EXPECT_EQ(reports.size(), 4u);
  for (const char* name : {"route/all_reduce_groups/8", "route/all_reduce_groups/12", "route/permutation/8",
                           "route/permutation/12"}) {
    SCOPED_TRACE(name);
    EXPECT_GT(reports.at(name)["real_time"], 0);
    EXPECT_GT(reports.at(name)["steps"], 0);
    EXPECT_GE(reports.at(name)["most_steps"], reports.at(name)["steps"]);
    EXPECT_LE(reports.at(name)["routed"].get<double>() + reports.at(name)["conflict"].get<double>(), 1);
  }
  EXPECT_EQ(reports.at("route/permutation/8")["routed"], 1);  // rearrangeable, as a Clos network with m >= 2
}

TEST(Bench, LeavesOutSystemsWithoutAConfiguration) {
  const Folder empty;
  const Outcome outcome =
      run_program(BENCH_PROGRAM, {"--configs", empty.path(), "--benchmark_list_tests", "--route-ports", "8"});
  EXPECT_EQ(outcome.exit_code, 0);
  EXPECT_NE(outcome.error.find("single_switch is left out"), std::string::npos) << outcome.error;
  EXPECT_EQ(outcome.out.find("single_switch"), std::string::npos) << outcome.out;
  EXPECT_NE(outcome.out.find("bare_hop"), std::string::npos) << outcome.out;
}

TEST(Bench, RefusesWhatItDoesNotKnow) {
  for (const std::vector<std::string>& arguments : {std::vector<std::string>{"--hop", "5"},
                                                    {"--hops", "none"},
                                                    {"--route-ports", "65"},
                                                    {"--configs", "/none"}}) {
    const Outcome outcome = run_program(BENCH_PROGRAM, arguments);
    EXPECT_EQ(outcome.exit_code, 2);
    EXPECT_NE(outcome.error.find("fredsim-bench: error: "), std::string::npos) << outcome.error;
  }
}

}  // namespace
}  // namespace fredsim::tb::test
