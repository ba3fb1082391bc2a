// Results by path and by short name, on a result written by hand.
#include "tb/sweep/result_path.h"

#include <gtest/gtest.h>

#include "hw/core/error.h"
#include "tb/sweep/metrics.h"
#include "tb/tests/support/folder.h"

namespace fredsim::tb {
namespace {

const char* const result_text = R"({"simulated_ns": 100.5, "saturated": true,
  "operations": [{"id": "a", "start_ns": 0, "end_ns": 40, "algbw_gbytes_per_s": 5},
                 {"id": "b", "start_ns": 10, "end_ns": 90, "algbw_gbytes_per_s": 2},
                 {"id": "idle", "start_ns": null, "end_ns": null, "algbw_gbytes_per_s": 0}],
  "flows": [{"id": "a/0", "packets": 3, "latency_ns": {"mean": 10, "p99": 12}},
            {"id": "b/0", "packets": 1, "latency_ns": {"mean": 30, "p99": 31}}],
  "npus": [{"id": 0, "exposed_ns": {"mp": 1, "dp": 2}}, {"id": 1, "exposed_ns": {"mp": 4, "dp": 0}}],
  "links": [{"name": "x", "utilization": 0.5, "stalled_ns": {"no_credit": 7}, "peak_outstanding_bytes": {"mp": 9, "dp": 12}},
            {"name": "y", "utilization": 0.25, "stalled_ns": {"no_credit": 1}, "peak_outstanding_bytes": {"mp": 1, "dp": 2}}]})";

std::optional<double> at(const std::string& path) {
  return ResultPath(path).in(nlohmann::ordered_json::parse(result_text));
}

TEST(ResultPath, LeadsToANumber) {
  EXPECT_EQ(at("simulated_ns"), 100.5);
  EXPECT_EQ(at("saturated"), 1);
  EXPECT_EQ(at("operations[1].end_ns"), 90);
  EXPECT_EQ(at("operations[b].end_ns"), 90);
  EXPECT_EQ(at("npus[1].exposed_ns.mp"), 4);
  EXPECT_EQ(at("links[y].stalled_ns.no_credit"), 1);
  EXPECT_EQ(at("max(links[*].utilization)"), 0.5);
  EXPECT_EQ(at("min(links[*].utilization)"), 0.25);
  EXPECT_EQ(at("sum(links[*].stalled_ns.no_credit)"), 8);
  EXPECT_EQ(at("mean(links[*].utilization)"), 0.375);
}

TEST(ResultPath, LeadsNowhere) {
  for (const char* path :
       {"nothing", "operations[7].end_ns", "operations[idle].end_ns", "operations[c].end_ns",
        "simulated_ns.more", "operations", "sum(sites[*].waiting_ns)"})
    EXPECT_EQ(at(path), std::nullopt) << path;
}

TEST(ResultPath, RefusesWhatIsNoPath) {
  for (const char* path : {"", ".", "a.", "a..b", "a[", "a[]", "a[1", "a[1]b", "links[*].utilization",
                           "most(a)", "(a)", "A", "a b"})
    EXPECT_THROW(ResultPath{path}, hw::InputError) << path;
}

TEST(Metrics, SummarizeARun) {
  const auto result = nlohmann::ordered_json::parse(result_text);
  const auto metric = [&](const std::string& name) {
    for (const Metric& m : ready_metrics()) {
      if (m.name == name) return m.of(result);
    }
    ADD_FAILURE() << name;
    return std::optional<double>();
  };
  EXPECT_EQ(metric("algbw_gbytes_per_s"), 2);
  EXPECT_EQ(metric("longest_operation_ns"), 80);
  EXPECT_EQ(metric("latency_mean_ns"), 15);
  EXPECT_EQ(metric("latency_p99_ns"), 31);
  EXPECT_EQ(metric("exposed_ns"), 4);
  EXPECT_EQ(metric("no_credit_ns"), 8);
  EXPECT_EQ(metric("peak_outstanding_bytes"), 12);
  EXPECT_EQ(metric("site_waiting_ns"), std::nullopt);
}

TEST(Metrics, AreInTheGuide) {
  const std::string guide = test::read_file(FREDSIM_SOURCE_DIR "/docs/07-sweeping-designs.md");
  for (const Metric& metric : ready_metrics()) {
    const std::string line = "| `" + metric.name + "` | " + metric.meaning + " |";
    EXPECT_NE(guide.find(line), std::string::npos) << line;
  }
}

}  // namespace
}  // namespace fredsim::tb
