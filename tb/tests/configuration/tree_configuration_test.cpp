#include <gtest/gtest.h>

#include <map>
#include <string>
#include <vector>

#include "hw/core/error.h"
#include "switch/fabric/tree.h"
#include "tb/configuration/configuration.h"
#include "tb/configuration/effective.h"
#include "tb/configuration/parameter.h"
#include "tb/tests/configuration/parsed.h"

namespace fredsim::tb {
namespace {

using hw::Bandwidth;
using hw::Capacity;
using hw::Time;

Configuration load(const std::string& name, const std::vector<std::string>& sets = {}) {
  return load_configuration(FREDSIM_SOURCE_DIR "/tb/configs/" + name, sets);
}

constexpr std::uint64_t giga = 1'000'000'000;

hw::Capacities capacities(std::uint64_t mp, std::uint64_t pp, std::uint64_t dp, std::uint64_t control) {
  return {Capacity::bytes(mp * kibi), Capacity::bytes(pp * kibi), Capacity::bytes(dp * kibi),
          Capacity::bytes(control * kibi)};
}

void expect_link(const LinkConfiguration& link, std::uint64_t gigabytes_per_second,
                 std::int64_t picoseconds) {
  EXPECT_EQ(link.bandwidth, Bandwidth::bytes_per_second(gigabytes_per_second * giga));
  EXPECT_EQ(link.latency, Time::fs(picoseconds * 1000));
}

TEST(TreeConfiguration, DefaultsAreThePapersWafer) {
  const Configuration c = parse("system: tree\n");
  EXPECT_EQ(c.system, SystemKind::tree);
  EXPECT_EQ(c.levels(), 2u);
  EXPECT_EQ(c.npus(), 20u);
  const sw::TreeShape shape = c.tree_shape();
  EXPECT_EQ(shape.leaf_npus, 4u);
  ASSERT_EQ(shape.upper.size(), 1u);
  EXPECT_EQ(shape.upper[0].children, 5u);
  EXPECT_EQ(shape.upper[0].planes, 4u);
  EXPECT_EQ(shape.io_controllers, 18u);
  EXPECT_EQ(shape.single_switch_name, "");
  expect_link(c.npu_link(), 3000, 3300);
  expect_link(c.link_up_to(2), 3000, 3300);
  expect_link(c.io_link(), 128, 3300);
  const hw::Capacities paper = capacities(24, 24, 24, 2);
  EXPECT_EQ(c.npu_buffers(), paper);
  EXPECT_EQ(c.io_buffers(), paper);
  EXPECT_EQ(c.switch_buffers(1, PortSide::down), paper);
  EXPECT_EQ(c.switch_buffers(1, PortSide::io), paper);
  EXPECT_EQ(c.switch_buffers(1, PortSide::up), paper);
  EXPECT_EQ(c.switch_buffers(2, PortSide::down), paper);
  EXPECT_EQ(c.sw.internal_bandwidth, Bandwidth::bytes_per_second(3000 * giga));
}

TEST(TreeConfiguration, ASingleSwitchIsATreeOfOneLevel) {
  const sw::TreeShape shape = parse("system: switch\nswitch.ports: 6\n").tree_shape();
  EXPECT_EQ(shape.leaf_npus, 6u);
  EXPECT_TRUE(shape.upper.empty());
  EXPECT_EQ(shape.io_controllers, 0u);
  EXPECT_EQ(shape.single_switch_name, "switch");
  EXPECT_EQ(parse("system: switch\nswitch.ports: 6\n").npus(), 6u);
  EXPECT_EQ(parse("system: switch\n").levels(), 1u);
  EXPECT_EQ(parse("system: tree\ntree: {levels: 1, leaf_npus: 6}\n").tree_shape().single_switch_name, "");
}

TEST(TreeConfiguration, EveryValueReachesItsField) {
  const Configuration c = parse(R"(
system: tree
tree: {leaf_npus: 3, levels: 4, children: 2, planes: 5, io_controllers: 7, l3: {children: 4, planes: 6}, l4.planes: 1}
link:
  npu_bandwidth: 11 GB/s
  plane_bandwidth: 12 GB/s
  io_bandwidth: 13 GB/s
  latency: 1 ns
  npu.latency: 2 ns
  io.latency: 3 ns
  l2.latency: 4 ns
  l3: {latency: 5 ns, plane_bandwidth: 14 GB/s}
buffer:
  npu: {mp: 11 KiB, pp: 12 KiB, dp: 13 KiB, control: 14 KiB}
  io: {mp: 21 KiB, pp: 22 KiB, dp: 23 KiB, control: 24 KiB}
  l1:
    down: {mp: 31 KiB, pp: 32 KiB, dp: 33 KiB, control: 34 KiB}
    io: {mp: 41 KiB, pp: 42 KiB, dp: 43 KiB, control: 44 KiB}
    up: {mp: 51 KiB, pp: 52 KiB, dp: 53 KiB, control: 54 KiB}
  l2.down: {mp: 61 KiB, pp: 62 KiB, dp: 63 KiB, control: 64 KiB}
  l3.up: {mp: 71 KiB, pp: 72 KiB, dp: 73 KiB, control: 74 KiB}
  l4.down: {mp: 81 KiB, pp: 82 KiB, dp: 83 KiB, control: 84 KiB}
)");
  const sw::TreeShape shape = c.tree_shape();
  EXPECT_EQ(shape.leaf_npus, 3u);
  EXPECT_EQ(shape.io_controllers, 7u);
  ASSERT_EQ(shape.upper.size(), 3u);
  EXPECT_EQ(shape.upper[0].children, 2u);
  EXPECT_EQ(shape.upper[0].planes, 5u);
  EXPECT_EQ(shape.upper[1].children, 4u);
  EXPECT_EQ(shape.upper[1].planes, 6u);
  EXPECT_EQ(shape.upper[2].children, 2u);
  EXPECT_EQ(shape.upper[2].planes, 1u);
  EXPECT_EQ(c.npus(), 3u * 2 * 4 * 2);
  expect_link(c.npu_link(), 11, 2000);
  expect_link(c.io_link(), 13, 3000);
  expect_link(c.link_up_to(2), 12, 4000);
  expect_link(c.link_up_to(3), 14, 5000);
  expect_link(c.link_up_to(4), 12, 1000);
  EXPECT_EQ(c.sw.internal_bandwidth, Bandwidth::bytes_per_second(14 * giga));
  EXPECT_EQ(c.npu_buffers(), capacities(11, 12, 13, 14));
  EXPECT_EQ(c.io_buffers(), capacities(21, 22, 23, 24));
  EXPECT_EQ(c.switch_buffers(1, PortSide::down), capacities(31, 32, 33, 34));
  EXPECT_EQ(c.switch_buffers(1, PortSide::io), capacities(41, 42, 43, 44));
  EXPECT_EQ(c.switch_buffers(1, PortSide::up), capacities(51, 52, 53, 54));
  EXPECT_EQ(c.switch_buffers(2, PortSide::down), capacities(61, 62, 63, 64));
  EXPECT_EQ(c.switch_buffers(2, PortSide::up), capacities(24, 24, 24, 2));
  EXPECT_EQ(c.switch_buffers(3, PortSide::up), capacities(71, 72, 73, 74));
  EXPECT_EQ(c.switch_buffers(4, PortSide::down), capacities(81, 82, 83, 84));
}

/// What is shown, and what a user may give, is what the system has.
TEST(TreeConfiguration, KeysAreThoseOfTheLevelsThereAre) {
  const auto wafer = values(parse("system: tree\n"));
  for (const char* key :
       {"tree.planes", "tree.l2.planes", "tree.l2.children", "link.l2.latency", "buffer.io.dp",
        "link.l2.plane_bandwidth", "buffer.l1.up.dp", "buffer.l1.io.dp", "buffer.l2.down.dp"}) {
    EXPECT_EQ(wafer.count(key), 1u) << key;
  }
  for (const char* key : {"switch.ports", "tree.l3.planes", "link.l3.latency", "buffer.l2.up.dp",
                          "buffer.l3.down.dp", "tree.lK.planes"}) {
    EXPECT_EQ(wafer.count(key), 0u) << key;
  }
  const auto deepest = values(parse("system: tree\nreliability: flow\ntree: {levels: 6, children: 2}\n"));
  EXPECT_EQ(deepest.count("buffer.l6.down.dp"), 1u);
  EXPECT_EQ(deepest.count("buffer.l5.up.dp"), 1u);
  const auto elsewhere = std::count_if(parameters().begin(), parameters().end(), [](const Parameter& p) {
    return !p.only_in.empty() && std::count(p.only_in.begin(), p.only_in.end(), SystemKind::tree) == 0;
  });
  // Three are for random pressure, and one is for loading route sets.
  EXPECT_EQ(deepest.size(), parameters().size() - static_cast<std::size_t>(elsewhere) - 4);
  const auto single = values(parse("system: switch\n"));
  for (const auto& [key, value] : single) {
    EXPECT_EQ(key.find("tree."), std::string::npos);
    EXPECT_EQ(key.find(".io"), std::string::npos) << key;
    EXPECT_EQ(key.find("plane"), std::string::npos) << key;
    EXPECT_EQ(key.find(".up."), std::string::npos) << key;
  }
  EXPECT_EQ(single.count("buffer.l1.down.dp"), 1u);
}

TEST(TreeConfiguration, MembersOfAFamilyAreOrderedByLevel) {
  std::string order;
  for (const EffectiveValue& value : parse("system: tree\ntree.levels: 3\ntree.children: 2\n").effective()) {
    const bool shown =
        value.key.compare(0, 8, "buffer.l") == 0 && value.key.substr(value.key.size() - 2) == "dp";
    if (shown) order += value.key.substr(7, value.key.size() - 10) + " ";
  }
  EXPECT_EQ(order, "l1.io l1.down l1.up l2.down l2.up l3.down ");
}

TEST(TreeConfiguration, PrintedConfigurationReadsBackTheSame) {
  for (const char* name : {"single_switch.yaml", "fred_b.yaml", "fred_d.yaml", "tree_1024.yaml"}) {
    const Configuration c = load(name, {"link.latency=3.333333 ns", "buffer.npu.dp=unlimited"});
    std::string text;
    std::vector<std::string> sets;
    for (const auto& [key, value] : values(c)) {
      text += key + ": " + value + "\n";
      if (key != "system") sets.push_back(key + "=" + value);
    }
    EXPECT_EQ(values(parse(text)), values(c)) << name;
    EXPECT_EQ(values(parse("system: " + values(c).at("system") + "\n", sets)), values(c)) << name;
    EXPECT_EQ(effective_json(parse(text)), effective_json(c)) << name;
  }
}

TEST(TreeConfiguration, LargestTreesAreAccepted) {
  // 2^20 NPUs.
  EXPECT_EQ(parse("system: tree\n"
                  "tree: {levels: 5, leaf_npus: 16, children: 16, planes: 1, io_controllers: 0}\n")
                .npus(),
            1u << 20);
  EXPECT_EQ(parse("system: tree\ntree: {levels: 1, leaf_npus: 64, io_controllers: 0}\n").npus(), 64u);
  // 60 + 1 + 3 ports at level 1, 60 + 4 at level 2.
  const Configuration full = parse(
      "system: tree\ntree: {levels: 3, leaf_npus: 60, children: 60, l2.planes: 3, io_controllers: 3600}\n");
  EXPECT_EQ(sw::Tree(full.tree_shape()).switches()[0].ports(), 64u);
}

TEST(TreeConfiguration, FredDStatesTheDefaults) {
  EXPECT_EQ(values(load("fred_d.yaml")), values(parse("system: tree\n")));
}

/// FRED table 5: 1.5 and 12 TB/s from each first-level switch up; bisection 3.75 and 30 TB/s.
TEST(TreeConfiguration, WaferFilesHaveThePapersBandwidths) {
  const auto up_gigabytes = [](const Configuration& c) {
    const sw::Tree tree(c.tree_shape());
    return tree.switches()[0].up_ports * c.link_up_to(2).bandwidth.bytes_per_second() / 1e9;
  };
  EXPECT_EQ(up_gigabytes(load("fred_b.yaml")), 1500);
  EXPECT_EQ(up_gigabytes(load("fred_d.yaml")), 12000);
  EXPECT_EQ(up_gigabytes(load("fred_b.yaml")) * 5 / 2, 3750);
  EXPECT_EQ(up_gigabytes(load("fred_d.yaml")) * 5 / 2, 30000);
  auto b = values(load("fred_b.yaml"));
  const auto d = values(load("fred_d.yaml"));
  b["link.plane_bandwidth"] = b["link.l2.plane_bandwidth"] = "3 TB/s";
  EXPECT_EQ(b, d);
}

TEST(TreeConfiguration, Tree1024IsWhatItsCommentsSay) {
  const Configuration c = load("tree_1024.yaml");
  const sw::Tree tree(c.tree_shape());
  EXPECT_EQ(tree.npus(), 1024u);
  EXPECT_EQ(tree.levels(), 3u);
  EXPECT_EQ(tree.planes(3), 4u);
  EXPECT_EQ(tree.switches().size(), 64u + 8 * 4 + 4);
  const auto rate = [](const LinkConfiguration& link) { return link.bandwidth.bytes_per_second(); };
  EXPECT_EQ(4 * rate(c.link_up_to(2)), 16 * rate(c.npu_link()));
  EXPECT_EQ(2 * rate(c.link_up_to(3)), 8 * rate(c.link_up_to(2)));
  // Both ends of a link have the room that keeps it busy, and not a packet more.
  const auto expect_knee = [&](const LinkConfiguration& link, const hw::Capacities& room) {
    const double due = rate(link) * 2 * link.latency.seconds() + static_cast<double>(c.packet.bytes);
    const double has = static_cast<double>(room[hw::index(hw::VirtualChannel::dp)].bytes());
    EXPECT_GE(has, due);
    EXPECT_LT(has, due + static_cast<double>(c.packet.bytes));
  };
  expect_knee(c.link_up_to(2), c.switch_buffers(1, PortSide::up));
  expect_knee(c.link_up_to(2), c.switch_buffers(2, PortSide::down));
  expect_knee(c.link_up_to(3), c.switch_buffers(2, PortSide::up));
  expect_knee(c.link_up_to(3), c.switch_buffers(3, PortSide::down));
}

}  // namespace
}  // namespace fredsim::tb
