#include "switch/route/online.h"

#include <gtest/gtest.h>

#include <map>
#include <set>

#include "hw/core/error.h"
#include "switch/route/settings.h"
#include "tb/tests/route/oracle.h"

namespace fredsim::sw {
namespace {

using Wire = std::pair<std::uint32_t, std::uint32_t>;  // element and output

std::set<Wire> wires(const Structure& structure, std::uint32_t in, std::uint32_t out, const Route& route) {
  std::set<Wire> result;
  for (const ElementSetting& s : settings(structure, test::flow({in}, {out}), route)) {
    for (std::uint32_t o = 0; o < structure.elements()[s.element].outputs; ++o) {
      if ((s.outputs >> o & 1) != 0) result.emplace(s.element, o);
    }
  }
  return result;
}

bool free_of(const std::set<Wire>& path, const std::map<std::uint32_t, std::set<Wire>>& open) {
  for (const auto& [in, taken] : open) {
    for (const Wire& w : path) {
      if (taken.count(w) != 0) return false;
    }
  }
  return true;
}

/// Whether any path at all is free, by trying all of them.
bool any_path(const Structure& structure, std::uint32_t in, std::uint32_t out,
              const std::map<std::uint32_t, std::set<Wire>>& open) {
  std::uint32_t paths = 1;
  for (std::uint32_t level = 0; level < structure.levels(); ++level) paths *= structure.middle();
  for (std::uint32_t path = 0; path < paths; ++path) {
    Route route;
    for (std::uint32_t rest = path, level = 0; level < structure.levels();
         ++level, rest /= structure.middle()) {
      route.colors.push_back(static_cast<std::uint8_t>(rest % structure.middle()));
    }
    if (free_of(wires(structure, in, out, route), open)) return true;
  }
  return false;
}

/// Opens and closes at random; returns how often no path was found, having checked that there is none.
int shake(const Structure& structure, std::uint32_t seed, int rounds) {
  std::mt19937 random(seed);
  OnlineRouter router(structure);
  std::map<std::uint32_t, std::set<Wire>> open;
  std::map<std::uint32_t, std::uint32_t> outputs;
  int blocked = 0;
  for (int round = 0; round < rounds; ++round) {
    const auto in = static_cast<std::uint32_t>(random() % structure.ports());
    const auto out = static_cast<std::uint32_t>(random() % structure.ports());
    if (!router.input_free(hw::PortId(in))) {
      // Closes less often than it opens, so that the switch fills up.
      if (random() % 3 != 0) continue;
      router.close(hw::PortId(in));
      EXPECT_TRUE(router.output_free(hw::PortId(outputs[in])));
      open.erase(in);
      continue;
    }
    if (!router.output_free(hw::PortId(out))) continue;
    const Route* route = router.open(hw::PortId(in), hw::PortId(out));
    if (route == nullptr) {
      EXPECT_FALSE(any_path(structure, in, out, open));
      EXPECT_TRUE(router.input_free(hw::PortId(in)));
      ++blocked;
      continue;
    }
    const std::set<Wire> path = wires(structure, in, out, *route);
    EXPECT_TRUE(free_of(path, open)) << "a wire is shared";
    open[in] = path;
    outputs[in] = out;
    EXPECT_EQ(router.open_count(), open.size());
  }
  return blocked;
}

// FRED sec. 5.3: m >= 3 is strict-sense non-blocking.
TEST(Online, ThreeMiddleSwitchesNeverBlock) {
  for (std::uint32_t ports = 2; ports <= 20; ++ports) {
    for (std::uint32_t middle = 3; middle <= 4; ++middle) {
      EXPECT_EQ(shake(Structure(ports, middle), ports, 600), 0) << "FRED_" << middle << "(" << ports << ")";
    }
  }
  EXPECT_EQ(shake(Structure(64, 3), 64, 4000), 0);
}

TEST(Online, TwoMiddleSwitchesBlockOnlyWhenNoPathIsLeft) {
  int blocked = 0;
  for (std::uint32_t ports = 2; ports <= 16; ++ports) blocked += shake(Structure(ports, 2), ports, 600);
  EXPECT_GT(blocked, 0);
}

TEST(Online, PathIsHeldUntilClosed) {
  OnlineRouter router(Structure(8, 3));
  const Route* first = router.open(hw::PortId(0), hw::PortId(5));
  ASSERT_NE(first, nullptr);
  EXPECT_EQ(first->colors, (std::vector<std::uint8_t>{0, 0}));
  const Route* second = router.open(hw::PortId(1), hw::PortId(4));
  ASSERT_NE(second, nullptr);
  EXPECT_EQ(second->colors[0], 1);
  router.close(hw::PortId(0));
  EXPECT_EQ(router.open(hw::PortId(0), hw::PortId(5))->colors[0], 0);
}

TEST(Online, MisuseIsAContradiction) {
  OnlineRouter router(Structure(4, 3));
  EXPECT_THROW(router.close(hw::PortId(0)), hw::InternalError);
  EXPECT_THROW(router.open(hw::PortId(4), hw::PortId(0)), hw::InternalError);
  EXPECT_THROW(router.open(hw::PortId(0), hw::PortId(4)), hw::InternalError);
  router.open(hw::PortId(0), hw::PortId(1));
  EXPECT_THROW(router.open(hw::PortId(0), hw::PortId(2)), hw::InternalError);
  EXPECT_THROW(router.open(hw::PortId(2), hw::PortId(1)), hw::InternalError);
  router.close(hw::PortId(0));
  EXPECT_THROW(router.close(hw::PortId(0)), hw::InternalError);
}

}  // namespace
}  // namespace fredsim::sw
