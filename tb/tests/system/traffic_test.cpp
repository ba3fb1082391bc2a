// Synthetic traffic, against what is known of meshes from elsewhere.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <numeric>

#include "hw/core/error.h"
#include "tb/configuration/configuration.h"
#include "tb/tests/system/simulate.h"
#include "tb/traffic/measure.h"

namespace fredsim::tb::test {
namespace {

Configuration mesh(std::uint32_t columns, std::uint32_t rows) {
  return parse_configuration(fmt::format("system: mesh\nmesh:\n  columns: {}\n  rows: {}\n", columns, rows),
                             "test.yaml");
}

TrafficOptions options_of(TrafficPattern pattern, double rate) {
  TrafficOptions options;
  options.pattern = pattern;
  options.rate = rate;
  options.warm_up = hw::parse_time("1 us");
  options.window = hw::parse_time("3 us");
  options.monitors = true;
  return options;
}

double share_to(const TrafficShape& shape, std::uint32_t from, std::uint32_t to) {
  double share = 0;
  for (const Destination& d : destinations(shape, from)) share += d.npu == to ? d.share : 0;
  return share;
}

TEST(TrafficPatterns, GoWhereTheirNamesSay) {
  TrafficShape shape;
  shape.npus = 16;
  shape.columns = 4;
  shape.hot = 5;
  for (const TrafficPattern pattern :
       {TrafficPattern::uniform, TrafficPattern::hotspot, TrafficPattern::transpose,
        TrafficPattern::bit_complement, TrafficPattern::neighbour}) {
    shape.pattern = pattern;
    for (std::uint32_t n = 0; n < 16; ++n) {
      const std::vector<Destination> all = destinations(shape, n);
      double sum = 0;
      for (const Destination& d : all) {
        EXPECT_NE(d.npu, n);
        sum += d.share;
      }
      if (!all.empty()) {
        EXPECT_NEAR(sum, 1, 1e-12);
      }
    }
  }
  shape.pattern = TrafficPattern::uniform;
  EXPECT_NEAR(share_to(shape, 3, 8), 1 / 15.0, 1e-12);
  shape.pattern = TrafficPattern::hotspot;
  EXPECT_NEAR(share_to(shape, 3, 5), 0.1 + 0.9 / 15, 1e-12);
  EXPECT_NEAR(share_to(shape, 5, 3), 1 / 15.0, 1e-12);
  shape.pattern = TrafficPattern::transpose;
  EXPECT_EQ(share_to(shape, 1, 4), 1);
  EXPECT_TRUE(destinations(shape, 5).empty());
  shape.pattern = TrafficPattern::bit_complement;
  EXPECT_EQ(share_to(shape, 1, 14), 1);
  shape.pattern = TrafficPattern::neighbour;
  EXPECT_EQ(share_to(shape, 7, 4), 1);
  shape.columns = 8;
  shape.pattern = TrafficPattern::transpose;
  EXPECT_THROW(destinations(shape, 0), hw::InputError);
  shape.hot = 16;
  shape.pattern = TrafficPattern::hotspot;
  EXPECT_THROW(destinations(shape, 0), hw::InputError);
}

// 8 x 8, uniform: 5.33 hops on average between different nodes ((k^2 - 1) / 3k x 2 x 64 / 63), so that a
// packet's way takes 2 + 5.33 links of 3.3 ns, 6.33 routers and its own time on a link.
TEST(Traffic, HasTheZeroLoadLatencyWhenThereIsLittle) {
  const TrafficResult result = measure_apart(mesh(8, 8), options_of(TrafficPattern::uniform, 0.01));
  const double hops = 2 * 63 / 24.0 * 64 / 63;
  const double ideal = (2 + hops) * 3.3 + (1 + hops) * 0.2 + 4096 / 750.0;
  EXPECT_FALSE(result.saturated);
  EXPECT_GT(result.mean_ns, 0.95 * ideal);
  EXPECT_LT(result.mean_ns, 1.08 * ideal);
  EXPECT_NEAR(result.accepted, 0.01, 0.002);
  EXPECT_LE(result.median_ns, result.p95_ns);
  EXPECT_LE(result.p95_ns, result.p99_ns);
  EXPECT_LE(result.p99_ns, result.max_ns);
}

TEST(Traffic, ThatTheLinksCountIsThePacketHops) {
  const TrafficResult result = measure_apart(mesh(4, 5), options_of(TrafficPattern::bit_complement, 0.2));
  std::uint64_t packets = 0;
  for (const TrafficResult::Link& link : result.links) packets += link.packets;
  EXPECT_EQ(packets, result.packet_hops);
  EXPECT_GT(packets, 10'000u);
}

TEST(Traffic, IsTheSameFromTheSameSeed) {
  const auto measure = [](const char* seed) {
    const Configuration configuration =
        parse_configuration("system: mesh\n", "test.yaml", {std::string("seed=") + seed});
    TrafficResult result = measure_apart(configuration, options_of(TrafficPattern::uniform, 0.3));
    result.wall_s = 0;
    return to_json(result).dump();
  };
  const std::string first = measure("7");
  EXPECT_EQ(first, measure("7"));
  EXPECT_NE(first, measure("8"));
}

// One event a packet and hop, or fewer: with those by which packets arise.
TEST(Traffic, TakesOneEventAPacketAndHop) {
  for (const double rate : {0.05, 0.3}) {
    TrafficOptions options = options_of(TrafficPattern::uniform, rate);
    options.monitors = false;
    const TrafficResult result = measure_apart(mesh(8, 8), options);
    EXPECT_LT(static_cast<double>(result.kernel_events), 1.25 * static_cast<double>(result.packet_hops));
  }
}

TEST(Traffic, RunsOnASwitchToo) {
  const Configuration configuration = parse_configuration("system: switch\n", "test.yaml");
  const TrafficResult result = measure_apart(configuration, options_of(TrafficPattern::neighbour, 0.5));
  EXPECT_FALSE(result.saturated);
  EXPECT_NEAR(result.accepted, 0.5, 0.05);
}

}  // namespace
}  // namespace fredsim::tb::test
