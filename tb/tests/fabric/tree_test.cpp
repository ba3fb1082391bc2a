#include "switch/fabric/tree.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "hw/core/error.h"

namespace fredsim::sw {
namespace {

/// A tree put together from the bottom, subtree by subtree, without a formula for any index.
class BuiltTree {
 public:
  struct Switch {
    std::uint32_t level, subtree, plane;
    std::vector<std::set<std::uint32_t>> below;  ///< by down port: NPUs
    std::uint32_t io_ports = 0;
    std::vector<std::size_t> up;            ///< by up port: the switch above
    std::vector<std::uint32_t> port_above;  ///< by up port: the down port there
    std::set<std::uint32_t> npus() const {
      std::set<std::uint32_t> all;
      for (const auto& some : below) all.insert(some.begin(), some.end());
      return all;
    }
  };

  explicit BuiltTree(const TreeShape& shape) : shape_(shape), subtrees_(shape.levels() + 1, 0) {
    for (std::uint32_t level = 2; level <= shape.levels(); ++level)
      leaves_ *= shape.upper[level - 2].children;
    const std::uint32_t most = (shape.io_controllers + leaves_ - 1) / leaves_;
    build(shape.levels());
    for (Switch& s : switches) s.io_ports = s.level == 1 ? most : 0;
  }

  std::vector<Switch> switches;
  std::vector<std::size_t> npu_switch;
  std::vector<std::uint32_t> npu_port;
  std::vector<std::size_t> io_switch;
  std::vector<std::uint32_t> io_place;

 private:
  struct Up {
    std::size_t from;
    std::size_t port;
  };

  /// Build a subtree and return the up ports that nothing is connected to yet.
  std::vector<Up> build(std::uint32_t level) {
    const std::uint32_t up_ports = level < shape_.levels() ? shape_.upper[level - 1].planes : 0;
    std::vector<Up> open;
    if (level == 1) {
      const std::size_t leaf = add(1, subtrees_[1]++, 0, up_ports);
      for (std::uint32_t port = 0; port < shape_.leaf_npus; ++port) {
        switches[leaf].below.push_back({static_cast<std::uint32_t>(npu_switch.size())});
        npu_switch.push_back(leaf);
        npu_port.push_back(port);
      }
      for (std::uint32_t place = 0; io_switch.size() < io_up_to(subtrees_[1]); ++place) {
        io_switch.push_back(leaf);
        io_place.push_back(place);
      }
      for (std::size_t port = 0; port < up_ports; ++port) open.push_back({leaf, port});
      return open;
    }
    std::vector<std::vector<Up>> children;
    for (std::uint32_t child = 0; child < shape_.upper[level - 2].children; ++child) {
      children.push_back(build(level - 1));
    }
    const std::uint32_t subtree = subtrees_[level]++;
    for (std::size_t plane = 0; plane < children[0].size(); ++plane) {
      const std::size_t above = add(level, subtree, static_cast<std::uint32_t>(plane), up_ports);
      for (std::uint32_t child = 0; child < children.size(); ++child) {
        const Up& up = children[child][plane];
        switches[up.from].up[up.port] = above;
        switches[up.from].port_above[up.port] = child;
        switches[above].below.push_back(switches[up.from].npus());
      }
      for (std::size_t port = 0; port < up_ports; ++port) open.push_back({above, port});
    }
    return open;
  }

  /// Controllers at the first so many leaves.
  std::size_t io_up_to(std::uint64_t leaves) const {
    return static_cast<std::size_t>(leaves * shape_.io_controllers / leaves_);
  }

  std::size_t add(std::uint32_t level, std::uint32_t subtree, std::uint32_t plane, std::uint32_t up_ports) {
    Switch s{level,
             subtree,
             plane,
             {},
             0,
             std::vector<std::size_t>(up_ports),
             std::vector<std::uint32_t>(up_ports)};
    switches.push_back(s);
    return switches.size() - 1;
  }

  TreeShape shape_;
  std::uint32_t leaves_ = 1;
  std::vector<std::uint32_t> subtrees_;
};

/// Tree's switches and the built ones, matched by what they are called.
class Comparison {
 public:
  explicit Comparison(const TreeShape& shape) : tree(shape), built(shape) {
    for (std::size_t b = 0; b < built.switches.size(); ++b) {
      const auto& s = built.switches[b];
      node_of.push_back(tree.index_of(s.level, s.subtree, s.plane));
    }
  }

  void switches_and_links() const {
    ASSERT_EQ(tree.switches().size(), built.switches.size());
    EXPECT_EQ(tree.shape().switches(), built.switches.size());
    EXPECT_EQ(tree.shape().npus(), built.npu_switch.size());
    EXPECT_EQ(tree.npus(), built.npu_switch.size());
    EXPECT_EQ(std::set<std::uint32_t>(node_of.begin(), node_of.end()).size(), node_of.size());
    std::map<std::uint32_t, std::set<std::string>> names;
    for (std::size_t b = 0; b < built.switches.size(); ++b) {
      const auto& expected = built.switches[b];
      const TreeSwitch& s = tree.switches().at(node_of[b]);
      names[s.level].insert(s.name);
      EXPECT_EQ(s.level, expected.level);
      EXPECT_EQ(s.subtree, expected.subtree);
      EXPECT_EQ(s.plane, expected.plane);
      EXPECT_EQ(s.down_ports, expected.below.size());
      EXPECT_EQ(s.io_ports, expected.io_ports);
      EXPECT_EQ(s.up_ports, expected.up.size());
      for (std::uint32_t up = 0; up < expected.up.size(); ++up) {
        EXPECT_EQ(tree.above({node_of[b], hw::PortId{s.first_up_port() + up}}),
                  (TreePort{node_of[expected.up[up]], hw::PortId{expected.port_above[up]}}));
      }
      for (std::uint32_t port = 0; port < expected.below.size(); ++port) {
        for (const std::uint32_t npu : expected.below[port]) {
          EXPECT_EQ(tree.port_towards(s, hw::NpuId{npu}).value, port);
          EXPECT_EQ(tree.subtree_of(hw::NpuId{npu}, s.level), s.subtree);
        }
      }
    }
    for (const auto& [level, of_level] : names) {
      for (std::size_t n = 0; n < of_level.size(); ++n) {
        EXPECT_EQ(of_level.count("l" + std::to_string(level) + "_" + std::to_string(n)), 1u);
      }
    }
  }

  void ends() const {
    for (std::uint32_t npu = 0; npu < built.npu_switch.size(); ++npu) {
      EXPECT_EQ(tree.npu_port(hw::NpuId{npu}),
                (TreePort{node_of[built.npu_switch[npu]], hw::PortId{built.npu_port[npu]}}));
    }
    ASSERT_EQ(built.io_switch.size(), tree.io_controllers());
    for (std::uint32_t c = 0; c < built.io_switch.size(); ++c) {
      const std::uint32_t leaf = node_of[built.io_switch[c]];
      EXPECT_LT(built.io_place[c], tree.switches()[leaf].io_ports);
      EXPECT_EQ(tree.io_port(c),
                (TreePort{leaf, hw::PortId{tree.switches()[leaf].down_ports + built.io_place[c]}}));
    }
  }

  /// From every switch, to every plane of every level above it, by the ports that Tree names.
  void paths_up() const {
    for (std::uint32_t level = 1; level <= tree.levels(); ++level) {
      std::set<std::uint32_t> planes;
      for (const auto& s : built.switches) {
        if (s.level == level) planes.insert(s.plane);
      }
      EXPECT_EQ(tree.planes(level), planes.size());
      for (const std::uint32_t plane : planes) climb_from_leaves(level, plane);
    }
  }

  void climb_from_leaves(std::uint32_t level, std::uint32_t plane) const {
    for (std::size_t leaf = 0; leaf < built.switches.size(); ++leaf) {
      if (built.switches[leaf].level != 1) continue;
      std::size_t at = leaf;
      while (built.switches[at].level < level) {
        const TreeSwitch& s = tree.switches()[node_of[at]];
        EXPECT_EQ(s.plane, tree.plane_below(level, plane, s.level));
        const hw::PortId port = tree.up_port(s, level, plane);
        ASSERT_GE(port.value, s.first_up_port());
        ASSERT_LT(port.value, s.ports());
        at = built.switches[at].up.at(port.value - s.first_up_port());
      }
      EXPECT_EQ(built.switches[at].plane, plane);
      EXPECT_EQ(tree.plane_below(level, plane, level), plane);
    }
  }

  /// For all pairs, and for each pair with everything between them.
  void levels_above() const {
    for (std::uint32_t a = 0; a < tree.npus(); ++a) {
      for (std::uint32_t b = a; b < tree.npus(); ++b) {
        std::uint32_t level = tree.levels();
        for (const auto& s : built.switches) {
          const std::set<std::uint32_t> npus = s.npus();
          if (npus.count(a) > 0 && npus.count(b) > 0) level = std::min(level, s.level);
        }
        EXPECT_EQ(tree.level_above({hw::NpuId{a}, hw::NpuId{b}}), level);
        EXPECT_EQ(tree.level_above({hw::NpuId{b}, hw::NpuId{a}, hw::NpuId{(a + b) / 2}}), level);
      }
    }
  }

  const Tree tree;
  const BuiltTree built;
  std::vector<std::uint32_t> node_of;
};

std::string text_of(const TreeShape& shape) {
  std::string text =
      std::to_string(shape.leaf_npus) + " NPUs, " + std::to_string(shape.io_controllers) + " I/O";
  for (const TreeShape::Level& level : shape.upper) {
    text += ", " + std::to_string(level.children) + " children " + std::to_string(level.planes) + " planes";
  }
  return text;
}

/// Whether every switch has 2 ports at least; more than 64 the shapes below never have.
bool possible(const TreeShape& shape) {
  std::uint32_t leaves = 1;
  for (const TreeShape::Level& level : shape.upper) leaves *= level.children;
  const std::uint32_t io = (shape.io_controllers + leaves - 1) / leaves;
  if (shape.leaf_npus + io + (shape.upper.empty() ? 0 : shape.upper[0].planes) < 2) return false;
  for (std::size_t i = 0; i < shape.upper.size(); ++i) {
    const std::uint32_t up = i + 1 < shape.upper.size() ? shape.upper[i + 1].planes : 0;
    if (shape.upper[i].children + up < 2) return false;
  }
  return true;
}

/// Shapes whose numbers all lie between 1 and `most`, with that many levels.
void for_each_shape(std::uint32_t levels, std::uint32_t most, const std::vector<std::uint32_t>& io,
                    const std::function<void(const TreeShape&)>& check) {
  std::vector<std::uint32_t> digits(2 * levels - 1, 1);
  for (;;) {
    TreeShape shape;
    shape.leaf_npus = digits[0];
    for (std::size_t i = 1; i < digits.size(); i += 2) shape.upper.push_back({digits[i], digits[i + 1]});
    for (const std::uint32_t controllers : io) {
      shape.io_controllers = controllers;
      check(shape);
    }
    const auto next = std::find_if(digits.begin(), digits.end(), [&](std::uint32_t d) { return d < most; });
    std::fill(digits.begin(), next, 1);
    if (next == digits.end()) return;
    ++*next;
  }
}

void compare(const TreeShape& shape) {
  SCOPED_TRACE(text_of(shape));
  if (!possible(shape)) {
    EXPECT_THROW(Tree{shape}, hw::InputError);
    return;
  }
  const Comparison comparison(shape);
  comparison.switches_and_links();
  comparison.ends();
  comparison.paths_up();
  comparison.levels_above();
}

TEST(Tree, EqualsOneBuiltByHandForEverySmallShape) {
  std::size_t shapes = 0;
  const auto count = [&](const TreeShape& shape) {
    ++shapes;
    if (!testing::Test::HasFailure()) compare(shape);
  };
  for_each_shape(1, 5, {0, 1, 2, 7}, count);
  for_each_shape(2, 4, {0, 1, 3, 8}, count);
  for_each_shape(3, 3, {0, 1, 5}, count);
  for_each_shape(4, 2, {0, 7}, count);
  EXPECT_EQ(shapes, 5u * 4 + 64 * 4 + 243 * 3 + 128 * 2);
}

/// FRED sec. 6, fig. 8: 5 first-level switches FRED_3(12) of 4 NPUs, up to 4 controllers and 4 up ports.
TEST(Tree, ThePapersWafer) {
  const Tree tree({4, {{5, 4}}, 18});
  EXPECT_EQ(tree.npus(), 20u);
  ASSERT_EQ(tree.switches().size(), 9u);
  for (std::size_t leaf = 0; leaf < 5; ++leaf) EXPECT_EQ(tree.switches()[leaf].ports(), 12u);
  for (std::size_t plane = 5; plane < 9; ++plane) EXPECT_EQ(tree.switches()[plane].ports(), 5u);
  EXPECT_EQ(tree.switches()[0].name, "l1_0");
  EXPECT_EQ(tree.switches()[8].name, "l2_3");
}

TEST(Tree, OneLevelIsASingleSwitchWithANameOfItsOwn) {
  TreeShape shape{8, {}, 0};
  EXPECT_EQ(Tree(shape).switches().at(0).name, "l1_0");
  shape.single_switch_name = "switch";
  EXPECT_EQ(Tree(shape).switches().at(0).name, "switch");
  EXPECT_EQ(Tree(shape).level_above({hw::NpuId{0}, hw::NpuId{7}}), 1u);
}

std::string refusal(const TreeShape& shape) {
  try {
    const Tree tree(shape);
  } catch (const hw::InputError& error) {
    return error.what();
  }
  return "(accepted)";
}

TEST(Tree, RefusesShapesThatCannotBe) {
  EXPECT_EQ(
      refusal({1, {}, 0}),
      "a switch of level 1 would have 1 ports (1 down, 0 for I/O controllers, 0 up); 2 to 64 are allowed");
  EXPECT_EQ(refusal({64, {}, 0}), "(accepted)");
  EXPECT_EQ(
      refusal({60, {{2, 4}}, 1}),
      "a switch of level 1 would have 65 ports (60 down, 1 for I/O controllers, 4 up); 2 to 64 are allowed");
  EXPECT_EQ(
      refusal({4, {{64, 1}, {2, 1}}, 0}),
      "a switch of level 2 would have 65 ports (64 down, 0 for I/O controllers, 1 up); 2 to 64 are allowed");
  EXPECT_NE(refusal({4, {{1, 1}}, 0}).find("level 2 would have 1 ports"), std::string::npos);
  // The sum of ports does not fit 32 bits.
  EXPECT_NE(refusal({4, {}, 0xffffffff}).find("would have 4294967299 ports"), std::string::npos);
  for (const TreeShape& shape : {TreeShape{0, {}, 4}, TreeShape{4, {{0, 1}}, 0}, TreeShape{4, {{2, 0}}, 0},
                                 TreeShape{4, {{2, 1}, {0, 0}}, 0}}) {
    EXPECT_NE(refusal(shape).find("at least one"), std::string::npos) << text_of(shape);
  }
  // 2^24 NPUs; as many switches; numbers beyond 64 bits.
  EXPECT_NE(refusal({16, {{32, 1}, {32, 1}, {32, 1}, {32, 1}}, 0}).find("too large"), std::string::npos);
  EXPECT_NE(refusal({2, {{1, 60}, {1, 60}, {1, 60}, {2, 60}}, 0}).find("too large"), std::string::npos);
  const TreeShape::Level most{0xffffffff, 0xffffffff};
  EXPECT_NE(refusal({4, {most, most, most}, 0}).find("too large"), std::string::npos);
}

}  // namespace
}  // namespace fredsim::sw
