#include "switch/route/structure.h"

#include <gtest/gtest.h>

#include <map>
#include <set>

#include "hw/core/error.h"
#include "switch/route/settings.h"

namespace fredsim::sw {
namespace {

// FRED sec. 4: counts that follow from the recursion, FRED_2(8) being a Benes network.
TEST(Structure, CountsOfThePaper) {
  const auto counts = [](std::uint32_t ports, std::uint32_t middle) {
    return Structure(ports, middle).counts();
  };
  EXPECT_EQ(counts(8, 2).r, 8u);
  EXPECT_EQ(counts(8, 2).d, 8u);
  EXPECT_EQ(counts(8, 2).rd, 4u);
  EXPECT_EQ(counts(6, 3).r, 6u);
  EXPECT_EQ(counts(6, 3).d, 6u);
  EXPECT_EQ(counts(6, 3).rd, 9u);
  EXPECT_EQ(counts(12, 3).r, 24u);
  EXPECT_EQ(counts(12, 3).d, 24u);
  EXPECT_EQ(counts(12, 3).rd, 27u);
  // FRED sec. 4, fig. 7(c), (d): the base cases.
  EXPECT_EQ(Structure(2, 3).elements().size(), 1u);
  EXPECT_EQ(counts(3, 3).r, 1u);
  EXPECT_EQ(counts(3, 3).rd, 3u);
  EXPECT_EQ(counts(3, 3).d, 1u);
  EXPECT_EQ(counts(3, 3).demux, 1u);
  EXPECT_EQ(counts(3, 3).mux, 1u);
}

TEST(Structure, StagesOfThePaper) {
  const std::map<std::uint32_t, std::uint32_t> stages = {{2, 1}, {3, 3}, {4, 3}, {5, 5},
                                                         {6, 5}, {8, 5}, {12, 7}};
  for (const auto& [ports, expected] : stages) {
    for (std::uint32_t middle = min_middle; middle <= max_middle; ++middle) {
      EXPECT_EQ(Structure(ports, middle).stages(), expected) << "FRED(" << ports << ")";
    }
  }
  EXPECT_EQ(Structure(64, 4).stages(), 11u);
}

std::uint32_t r_count(std::uint32_t ports, std::uint32_t middle) {
  return ports == 2 ? 0 : ports / 2 + middle * r_count((ports + 1) / 2, middle);
}
std::uint32_t rd_count(std::uint32_t ports, std::uint32_t middle) {
  return ports == 2 ? 1 : middle * rd_count((ports + 1) / 2, middle);
}
std::uint32_t mux_count(std::uint32_t ports, std::uint32_t middle) {
  return ports == 2 ? 0 : ports % 2 + middle * mux_count((ports + 1) / 2, middle);
}

TEST(Structure, EveryWireHasTwoEndsAndEveryPathTheSameStages) {
  for (std::uint32_t ports = min_ports; ports <= max_ports; ++ports) {
    for (std::uint32_t middle = 2; middle <= 4; ++middle) {
      SCOPED_TRACE(testing::Message() << "FRED_" << middle << "(" << ports << ")");
      const Structure s(ports, middle);
      EXPECT_EQ(s.counts().r, r_count(ports, middle));
      EXPECT_EQ(s.counts().d, s.counts().r);
      EXPECT_EQ(s.counts().rd, rd_count(ports, middle));
      EXPECT_EQ(s.counts().demux, mux_count(ports, middle));
      EXPECT_EQ(s.counts().mux, s.counts().demux);

      std::set<std::string> names;
      std::set<std::pair<std::uint32_t, std::uint32_t>> driven;
      std::size_t inputs = 0;
      ASSERT_EQ(s.input_to().size(), ports);
      for (const Terminal to : s.input_to()) {
        EXPECT_EQ(s.elements()[to.element].stage, 0u);
        EXPECT_TRUE(driven.emplace(to.element, to.port).second);
      }
      for (std::uint32_t e = 0; e < s.elements().size(); ++e) {
        const Element& element = s.elements()[e];
        EXPECT_TRUE(names.insert(element.name).second) << element.name;
        ASSERT_EQ(element.output_to.size(), element.outputs);
        inputs += element.inputs;
        for (const Terminal to : element.output_to) {
          EXPECT_TRUE(driven.emplace(to.element, to.port).second) << element.name;
          if (to.is_switch_port()) {
            EXPECT_EQ(element.stage, s.stages() - 1);
            EXPECT_LT(to.port, ports);
            continue;
          }
          EXPECT_GT(to.element, e);
          EXPECT_EQ(s.elements()[to.element].stage, element.stage + 1);
          EXPECT_LT(to.port, s.elements()[to.element].inputs);
        }
      }
      EXPECT_EQ(driven.size(), inputs + ports);
    }
  }
}

TEST(Structure, NamesTellThePlace) {
  const Structure s(8, 3);
  std::set<std::string> names;
  for (const Element& element : s.elements()) names.insert(element.name);
  for (const char* name : {"r0", "r3", "d3", "m2.r0", "m2.d1", "m2.m1.rd"})
    EXPECT_EQ(names.count(name), 1u) << name;
  EXPECT_EQ(Structure(2, 2).elements()[0].name, "rd");
  const Structure odd(5, 2);
  names.clear();
  for (const Element& element : odd.elements()) names.insert(element.name);
  for (const char* name : {"demux", "mux", "m0.demux", "m1.mux", "m1.m0.rd"})
    EXPECT_EQ(names.count(name), 1u) << name;
}

// The micro-switches around port 5 of FRED_3(8): pair 2, its second input; middle switch j at output j.
TEST(Structure, PortsMeetTheirPairThenEveryMiddleSwitch) {
  const Structure s(8, 3);
  const Terminal entry = s.input_to()[5];
  EXPECT_EQ(s.elements()[entry.element].name, "r2");
  EXPECT_EQ(entry.port, 1u);
  for (std::uint32_t j = 0; j < 3; ++j) {
    const Terminal to = s.elements()[entry.element].output_to[j];
    EXPECT_EQ(s.elements()[to.element].name, "m" + std::to_string(j) + ".r1");
    EXPECT_EQ(to.port, 0u);
  }
}

// Idle or one of m at each R input and D output, demux and mux; a mask of two inputs at each RD output.
TEST(Structure, RouteBits) {
  EXPECT_EQ(Structure(2, 3).route_bits(), 4u);
  EXPECT_EQ(Structure(8, 3).route_bits(), 10u * 2 * 2 + 10u * 2 * 2 + 9u * 4);
  EXPECT_EQ(Structure(8, 2).route_bits(), 8u * 2 * 2 + 8u * 2 * 2 + 4u * 4);
  // m = 4 has five choices, so three bits: 2 R and 2 D at the outside, 4 RD inside.
  EXPECT_EQ(Structure(4, 4).route_bits(), 2u * 2 * 3 + 2u * 2 * 3 + 4u * 4);
  // FRED_3(3): one R, one D, one demux, one mux, three RD.
  EXPECT_EQ(Structure(3, 3).route_bits(), 2u * 2 + 2u * 2 + 2u + 2u + 3u * 4);
}

TEST(Structure, SizesOutOfRangeAreRefused) {
  for (const auto& [ports, middle] : std::vector<std::pair<std::uint32_t, std::uint32_t>>{
           {0, 3}, {1, 3}, {65, 3}, {UINT32_MAX, 3}, {8, 0}, {8, 1}, {8, 9}, {8, UINT32_MAX}}) {
    EXPECT_THROW(Structure(ports, middle), hw::InputError) << ports << " " << middle;
  }
  try {
    Structure(1, 3);
    FAIL();
  } catch (const hw::InputError& error) {
    EXPECT_STREQ(error.what(), "a switch cannot have 1 ports; 2 to 64 are allowed");
  }
}

TEST(Settings, RoutesThatDoNotFitAreContradictions) {
  const Structure s(8, 3);
  const PortFlow unicast{{hw::PortId(0)}, {hw::PortId(1)}};
  EXPECT_THROW(settings(s, unicast, Route{{0}}), hw::InternalError);
  EXPECT_THROW(settings(s, unicast, Route{{0, 3}}), hw::InternalError);
  EXPECT_THROW(settings(s, PortFlow{{hw::PortId(8)}, {hw::PortId(1)}}, Route{{0, 0}}), hw::InternalError);
}

// FRED sec. 5.2: all-reduce of ports 1 and 5 through middle switch 1, and there through its middle switch 0.
TEST(Settings, ReducesAndDistributesWhereTheFlowMeets) {
  const Structure s(8, 3);
  const PortFlow flow{{hw::PortId(1), hw::PortId(5)}, {hw::PortId(1), hw::PortId(5)}};
  std::map<std::string, ElementSetting> by_name;
  for (const ElementSetting& setting : settings(s, flow, Route{{1, 0}})) {
    by_name[s.elements()[setting.element].name] = setting;
  }
  ASSERT_EQ(by_name.size(), 9u);
  EXPECT_EQ(by_name.at("r0").inputs, 2u);
  EXPECT_EQ(by_name.at("r0").outputs, 2u);
  EXPECT_EQ(by_name.at("m1.r1").inputs, 1u);
  EXPECT_EQ(by_name.at("m1.r1").outputs, 1u);
  EXPECT_EQ(by_name.at("m1.m0.rd").inputs, 3u);
  EXPECT_EQ(by_name.at("m1.m0.rd").outputs, 3u);
  EXPECT_TRUE(by_name.at("m1.m0.rd").reduces());
  EXPECT_TRUE(by_name.at("m1.m0.rd").distributes());
  EXPECT_EQ(by_name.at("d2").inputs, 2u);
  EXPECT_EQ(by_name.at("d2").outputs, 2u);
  EXPECT_FALSE(by_name.at("d2").distributes());
}

}  // namespace
}  // namespace fredsim::sw
