// Topologies read from YAML and CSV, shortest paths and multicast trees.
#include <gtest/gtest.h>

#include <cmath>

#include "fpga_agg/schedule/paths.h"
#include "hw/core/error.h"
#include "tb/tests/schedule/cities.h"

namespace fredsim::agg::test {
namespace {

TEST(Topology, NineCitiesHaveThePublishedPathLatencies) {
  const Topology t = nine_cities();
  ASSERT_EQ(t.site_count, 9u);
  const ShortestPaths paths(t);
  // One-way shortest-path latencies in ms, row by row above the diagonal.
  const std::vector<std::vector<double>> expected = {{8.05, 27.90, 33.65, 39.03, 36.53, 77.28, 85.49, 110.33},
                                                     {19.85, 41.70, 47.08, 44.58, 69.23, 77.44, 102.84},
                                                     {61.55, 66.93, 64.43, 49.38, 57.59, 82.99},
                                                     {5.38, 2.88, 110.29, 118.50, 76.68},
                                                     {2.50, 115.67, 123.88, 82.06},
                                                     {113.17, 121.38, 79.56},
                                                     {8.21, 33.61},
                                                     {41.82}};
  for (std::uint32_t i = 0; i < 8; ++i) {
    for (std::uint32_t j = i + 1; j < 9; ++j) {
      EXPECT_NEAR(paths.latency(i, j).ns() * 1e-6, expected[i][j - i - 1], 1e-9) << t.nodes[i] << t.nodes[j];
      EXPECT_EQ(paths.latency(i, j), paths.latency(j, i));
    }
  }
}

TEST(Topology, TreeCrossesEachLinkOnce) {
  const Topology t = nine_cities();
  const ShortestPaths paths(t);
  std::vector<std::string> links;
  for (const std::uint32_t l : paths.tree(t.site("SIN"), clique(t, "NYC CHI LAX SIN"))) {
    links.push_back(t.link_name(l));
  }
  std::sort(links.begin(), links.end());
  // NYC is nearer through London (110.33 ms) than through Los Angeles (110.89).
  EXPECT_EQ(links, (std::vector<std::string>{"LAX>CHI", "LON>NYC", "SIN>LON", "SIN>TYO", "TYO>LAX"}));
  EXPECT_EQ(paths.tree(0, all_nine(t).front()).size(), 8u);
}

TEST(Topology, OfEquallyLongPathsTheFewestLinksThenTheLowestNodes) {
  const Topology t = parse_topology_yaml(
      "sites: [A, B, C, D]\n"
      "links:\n"
      "  - {from: A, to: B, latency: 1 ms, bandwidth: 1 Gb/s}\n"
      "  - {from: A, to: C, latency: 1 ms, bandwidth: 1 Gb/s}\n"
      "  - {from: C, to: D, latency: 1 ms, bandwidth: 1 Gb/s}\n"
      "  - {from: B, to: D, latency: 1 ms, bandwidth: 1 Gb/s}\n"
      "  - {from: B, to: C, latency: 0 ms, bandwidth: 1 Gb/s}\n",
      "t.yaml");
  const ShortestPaths paths(t);
  const std::vector<std::uint32_t> way = paths.path(0, 3);
  ASSERT_EQ(way.size(), 2u);
  EXPECT_EQ(t.link_name(way[0]), "A>B");
  EXPECT_EQ(t.link_name(way[1]), "B>D");
}

TEST(Topology, CsvAndYamlAgree) {
  const Topology t = parse_topology_csv(
      "from,to,one_way_ms,bandwidth_gbps,basis\n"
      "NYC,LON,33.65,10,\"measured, halved\"\r\n"
      "\n"
      "LON,FRA,5.53,100,computed\n",
      "t.csv");
  EXPECT_EQ(t.site_names(), (std::vector<std::string>{"NYC", "LON", "FRA"}));
  ASSERT_EQ(t.links.size(), 4u);
  EXPECT_EQ(t.links[0].source, "measured, halved");
  EXPECT_EQ(t.links[0].latency, hw::parse_time("33.65 ms"));
  EXPECT_EQ(t.link_name(3), "FRA>LON");
  EXPECT_EQ(t.access_bandwidth(1), hw::parse_bandwidth("100 Gb/s"));
  EXPECT_EQ(t.access_bandwidth(0), hw::parse_bandwidth("10 Gb/s"));
  EXPECT_EQ(t.with_bandwidth(hw::parse_bandwidth("1 Gb/s")).access_bandwidth(1),
            hw::parse_bandwidth("1 Gb/s"));
  const Topology units = parse_topology_csv("from,to,latency,bandwidth\nA,B,1 us,1 Tb/s\n", "u.csv");
  EXPECT_EQ(units.links[0].latency, hw::parse_time("1 us"));
}

TEST(Topology, RoutersAndDirectedLinksAndAccess) {
  const Topology t = parse_topology_yaml(
      "name: t\n"
      "sites: [{name: A, access: 1 Gb/s}, B]\n"
      "routers: [r]\n"
      "links:\n"
      "  - {from: A, to: r, latency: 1 ms, bandwidth: 10 Gb/s, directed: true, source: a guess}\n"
      "  - {from: r, to: B, latency: 1 ms, bandwidth: 10 Gb/s}\n"
      "  - {from: B, to: A, latency: 5 ms, bandwidth: 10 Gb/s, directed: true}\n",
      "t.yaml");
  const ShortestPaths paths(t);
  EXPECT_EQ(t.site_count, 2u);
  EXPECT_EQ(t.links.size(), 4u);
  EXPECT_EQ(paths.latency(0, 1), hw::parse_time("2 ms"));
  EXPECT_EQ(paths.latency(1, 0), hw::parse_time("5 ms"));
  EXPECT_EQ(t.access_bandwidth(0), hw::parse_bandwidth("1 Gb/s"));
}

struct BadText {
  const char* name;
  bool csv;
  const char* text;
  std::vector<std::string> words;  ///< of the message
};
std::ostream& operator<<(std::ostream& out, const BadText& bad) {
  return out << bad.name;
}
class BadTopology : public testing::TestWithParam<BadText> {};

TEST_P(BadTopology, IsRefusedWithItsPlace) {
  try {
    GetParam().csv ? parse_topology_csv(GetParam().text, "f") : parse_topology_yaml(GetParam().text, "f");
    FAIL() << "not refused";
  } catch (const hw::InputError& error) {
    for (const std::string& word : GetParam().words) {
      EXPECT_NE(std::string(error.what()).find(word), std::string::npos) << word << " in: " << error.what();
    }
  }
}

#define LINK "links:\n  - {from: A, to: B, latency: 1 ms, bandwidth: 1 Gb/s}\n"
INSTANTIATE_TEST_SUITE_P(
    All, BadTopology,
    testing::Values(
        BadText{"empty", false, "", {"f:1:1"}}, BadText{"scalar", false, "A", {"f:1:1", "mapping"}},
        BadText{"syntax", false, "sites: [A, B\nlinks: ]]", {"f:", "syntax"}},
        BadText{"two_documents", false, "sites: [A, B]\n" LINK "---\na: b\n", {"f:1:1"}},
        BadText{"no_links", false, "sites: [A, B]\n", {"links is missing"}},
        BadText{"no_sites", false, LINK, {"sites is missing"}},
        BadText{"sites_no_list", false, "sites: A\n" LINK, {"f:1:8", "list"}},
        BadText{"unknown_key", false, "sites: [A, B]\nlnks: []\n", {"f:2:1", "did you mean 'links'"}},
        BadText{"doubled_key", false, "sites: [A, B]\nsites: [A, B]\n" LINK, {"f:2:1", "doubled"}},
        BadText{"doubled_site", false, "sites: [A, A]\n" LINK, {"f:1:12", "twice"}},
        BadText{"bad_name", false, "sites: ['A B', B]\n" LINK, {"f:1:9", "name"}},
        BadText{"one_site", false, "sites: [A]\nlinks: []\n", {"1 sites"}},
        BadText{"unknown_node",
                false,
                "sites: [NYC, LON]\nlinks:\n  - {from: NYC, to: LOM, latency: 1 ms, bandwidth: 1 Gb/s}\n",
                {"f:3:21", "LOM", "LON"}},
        BadText{"bare_number",
                false,
                "sites: [A, B]\nlinks:\n  - {from: A, to: B, latency: 1, bandwidth: 1 Gb/s}\n",
                {"f:3:31", "latency", "unit"}},
        BadText{"too_long",
                false,
                "sites: [A, B]\nlinks:\n  - {from: A, to: B, latency: 2000 s, bandwidth: 1 Gb/s}\n",
                {"f:3:5", "1800"}},
        BadText{"bandwidth_missing",
                false,
                "sites: [A, B]\nlinks:\n  - {from: A, to: B, latency: 1 ms}\n",
                {"f:3:5", "bandwidth is missing"}},
        BadText{"to_itself",
                false,
                "sites: [A, B]\nlinks:\n  - {from: A, to: A, latency: 1 ms, bandwidth: 1 Gb/s}\n",
                {"f:3:5", "itself"}},
        BadText{"link_twice",
                false,
                "sites: [A, B]\n" LINK "  - {from: B, to: A, latency: 1 ms, bandwidth: 1 Gb/s}\n",
                {"f:4:5", "f:3:5"}},
        BadText{"not_connected", false, "sites: [A, B, C]\n" LINK, {"from A to C"}},
        BadText{
            "directed_word",
            false,
            "sites: [A, B]\nlinks:\n  - {from: A, to: B, latency: 1 ms, bandwidth: 1 Gb/s, directed: yes}\n",
            {"f:3:", "true or false"}},
        BadText{"csv_empty", true, "", {"f:1:1"}},
        BadText{"csv_no_header", true, "A,B,1,10\n", {"f:1:1", "column"}},
        BadText{"csv_column_missing", true, "from,to,one_way_ms\nA,B,1\n", {"f:1", "bandwidth_gbps"}},
        BadText{"csv_both_columns", true, "from,to,one_way_ms,latency,bandwidth\n", {"f:1", "latency"}},
        BadText{"csv_column_twice", true, "from,from,to\n", {"f:1:6", "twice"}},
        BadText{"csv_cells", true, "from,to,latency,bandwidth\nA,B,1 ms\n", {"f:2", "3 cells"}},
        BadText{"csv_number", true, "from,to,one_way_ms,bandwidth\nA,B,x,1 Gb/s\n", {"f:2:5", "one_way_ms"}},
        BadText{"csv_negative", true, "from,to,one_way_ms,bandwidth\nA,B,-1,1 Gb/s\n", {"f:2:5", "negative"}},
        BadText{
            "csv_open_quote", true, "from,to,latency,bandwidth\nA,\"B,1 ms,1 Gb/s\n", {"f:2:3", "quote"}}),
    [](const auto& tested) { return std::string(tested.param.name); });
#undef LINK

}  // namespace
}  // namespace fredsim::agg::test
