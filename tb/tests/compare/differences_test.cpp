// Differences of results written by hand.
#include "tb/compare/differences.h"

#include <gtest/gtest.h>

#include <cmath>

#include "tb/tests/support/damaged.h"

namespace fredsim::tb {
namespace {

using Json = nlohmann::ordered_json;
using Strings = std::vector<std::string>;

const char* const base =
    R"({"format": "fredsim-result", "status": "ok", "config": {"buffer.dp": "8 KiB", "seed": 1},
  "simulated_ns": 100, "links": [{"name": "x", "bytes": 10, "deep": {"wait": 4}}, {"name": "y", "bytes": 20, "deep": {"wait": 0}}],
  "operations": [{"id": "a", "npus": [0, 1], "end_ns": 50}], "command": "fredsim run a", "performance": {"wall_s": 1}})";

Json changed(const std::string& pointer, const Json& value) {
  Json json = Json::parse(base);
  json[Json::json_pointer(pointer)] = value;
  return json;
}

Comparison with(const Json& b, const Strings& ignored = {}) {
  return compare(Json::parse(base), b, ignored);
}

TEST(Compare, FindsNothingInEqualResults) {
  EXPECT_EQ(with(Json::parse(base)).differing(), 0u);
  EXPECT_EQ(with(Json::parse(base)).largest_effect(), 0);
  EXPECT_EQ(with(changed("/performance/wall_s", 2)).differing(), 0u);
  EXPECT_EQ(with(changed("/command", "fredsim run b")).differing(), 0u);
}

TEST(Compare, TakesWhateverAResultHolds) {
  const Json whole = Json::parse(R"({"format": "fredsim-result", "config": {"seed": 1}, "simulated_ns": 100,
    "operations": [{"id": "a", "start_ns": 0, "end_ns": 50, "algbw_gbytes_per_s": 2}],
    "flows": [{"id": "f", "packets": 3, "latency_ns": {"mean": 4, "p99": 5, "max": 6}, "queued_ns": 1}],
    "npus": [{"id": 0, "compute_ns": 1, "exposed_ns": {"mp": 1, "dp": 2}}],
    "links": [{"name": "x", "utilization": 0.5, "peak_outstanding_bytes": {"mp": 1}, "stalled_ns": {"no_credit": 4}}],
    "switches": [{"name": "s", "stalled_ns": {"no_staging": 1}}], "packets": {"resent": 1}, "sites": [{"waiting_ns": 1}]})");
  EXPECT_EQ(compare(whole, whole, {}).differing(), 0u);
  test::for_each_damage(whole, [&](const Json& damaged, const std::string& what) {
    try {
      compare(whole, damaged, {});
      compare(damaged, whole, {});
    } catch (const std::exception& error) {
      ADD_FAILURE() << what << ": " << error.what();
    }
  });
}

TEST(Compare, TellsParametersFromResults) {
  const Comparison c = with(changed("/config/buffer.dp", "16 KiB"));
  ASSERT_EQ(c.configuration.size(), 1u);
  EXPECT_EQ(c.configuration[0].path, "buffer.dp");
  EXPECT_EQ(c.configuration[0].b, "16 KiB");
  EXPECT_EQ(c.largest_effect(), 0);
  EXPECT_EQ(with(changed("/config/new", 1)).configuration.at(0).a, "-");
}

TEST(Compare, MeasuresEffectsRelativeToA) {
  const Comparison c = with(changed("/links/1/bytes", 15));
  ASSERT_EQ(c.results.size(), 1u);
  EXPECT_EQ(c.results[0].path, "links[*].bytes");
  EXPECT_EQ(c.results[0].compared, 2u);
  EXPECT_EQ(c.results[0].differences.at(0).path, "links[y].bytes");
  EXPECT_EQ(c.largest_effect(), 0.25);
  EXPECT_TRUE(std::isinf(with(changed("/links/1/deep/wait", 1)).largest_effect()));
  EXPECT_TRUE(std::isinf(with(changed("/status", "wrong_data")).largest_effect()));
  EXPECT_TRUE(std::isinf(with(changed("/operations/0/npus", {0, 2})).largest_effect()));
  EXPECT_TRUE(std::isinf(with(changed("/operations/0/end_ns", nullptr)).largest_effect()));
}

TEST(Compare, SortsByEffectAndNamesMetrics) {
  Json b = changed("/simulated_ns", 110);
  b["links"][0]["bytes"] = 40;
  b["operations"][0]["end_ns"] = 51;
  const Comparison c = with(b);
  Strings order;
  for (const DifferenceGroup& group : c.results) order.push_back(group.path);
  EXPECT_EQ(order, (Strings{"links[*].bytes", "simulated_ns", "operations[*].end_ns"}));
  ASSERT_EQ(c.metrics.size(), 1u);
  EXPECT_EQ(c.metrics[0].path, "simulated_ns");
  EXPECT_DOUBLE_EQ(c.metrics[0].effect, 0.1);
}

/// Entries belong together by name: an order of their own is no difference, one that is missing is.
TEST(Compare, MatchesEntriesByName) {
  Json b = Json::parse(base);
  std::swap(b["links"][0], b["links"][1]);
  EXPECT_EQ(with(b).differing(), 0u);
  b["links"].erase(0);
  EXPECT_EQ(with(b).differing(), 3u);
  EXPECT_TRUE(std::isinf(with(b).largest_effect()));
}

TEST(Compare, IgnoresWhatItIsTold) {
  Json b = changed("/links/1/bytes", 15);
  b["simulated_ns"] = 101;
  EXPECT_EQ(with(b, {"links*"}).largest_effect(), 0.01);
  EXPECT_EQ(with(b, {"links[y].*", "simulated_ns"}).differing(), 0u);
  EXPECT_EQ(with(b, {"simulated_ns"}).metrics.size(), 0u);
}

}  // namespace
}  // namespace fredsim::tb
