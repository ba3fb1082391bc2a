#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "hw/core/records.h"

namespace fredsim::sw {

/// More NPUs, or switches, than any simulation could hold.
constexpr std::uint64_t max_tree_size = std::uint64_t{1} << 20;

/// The size of a tree of switches (FRED sec. 6, fig. 8). A tree of one level is a single switch.
struct TreeShape {
  /// What a level adds to those below it.
  struct Level {
    std::uint32_t children = 1;  ///< subtrees of the level below
    std::uint32_t planes = 1;    ///< up ports of every switch of the level below, each to a switch of its own
  };

  std::uint32_t leaf_npus = 1;          ///< NPUs at each switch of level 1
  std::vector<Level> upper;             ///< levels 2, 3, ... to the root
  std::uint32_t io_controllers = 0;     ///< spread evenly over the switches of level 1
  std::string single_switch_name = {};  ///< of the switch of a tree of one level; empty: "l1_0"

  std::uint32_t levels() const { return static_cast<std::uint32_t>(upper.size()) + 1; }
  /// Ports of every switch of a level (1 and up) that face NPUs or children, I/O controllers, and planes.
  /// Where the controllers do not divide evenly, a port stays free at the switches that have fewer.
  std::uint32_t down_ports(std::uint32_t level) const;
  std::uint32_t io_ports(std::uint32_t level) const;
  std::uint32_t up_ports(std::uint32_t level) const;
  /// Of the whole tree, the highest number there is standing for all that are higher.
  std::uint64_t npus() const;
  std::uint64_t switches() const;
};

/// One switch, "switch", with an NPU at each of its ports.
TreeShape single_switch(std::uint32_t ports);

/// One switch of a tree. Its ports are, in this order: those that face down (to NPUs, or to children), those
/// for I/O controllers (level 1 only), those that face up.
struct TreeSwitch {
  std::string name;  ///< "l1_0": level and index within the level
  std::uint32_t level = 1;
  std::uint32_t subtree = 0;  ///< which subtree of this level it belongs to
  std::uint32_t plane = 0;    ///< which of that subtree's switches of this level it is
  std::uint32_t down_ports = 0;
  std::uint32_t io_ports = 0;
  std::uint32_t up_ports = 0;

  std::uint32_t ports() const { return down_ports + io_ports + up_ports; }
  std::uint32_t first_up_port() const { return down_ports + io_ports; }
};

/// Which port of which switch.
struct TreePort {
  std::uint32_t node = 0;  ///< index into Tree::switches()
  hw::PortId port;

  friend bool operator==(TreePort a, TreePort b) { return a.node == b.node && a.port == b.port; }
};

/// A tree of FRED switches: which switches there are, and what each of their ports leads to.
///
/// A subtree of level 1 is a switch with its NPUs. A subtree of level k has `children` subtrees of level k -
/// 1, and for every up port of one of these a switch of its own, which has that up port of each child at its
/// down ports. The switches of level k of a subtree are its planes: no link leads from one to another.
class Tree {
 public:
  /// Throws hw::InputError when a switch would have fewer than 2 or more than 64 ports, naming its level, for
  /// a tree of more than max_tree_size NPUs or switches, and for a shape with a zero.
  explicit Tree(TreeShape shape);

  const TreeShape& shape() const { return shape_; }
  std::uint32_t npus() const { return subtree_npus_.back(); }
  std::uint32_t io_controllers() const { return shape_.io_controllers; }
  std::uint32_t levels() const { return shape_.levels(); }
  /// Level by level from the leaves, in a level subtree by subtree, in a subtree plane by plane.
  const std::vector<TreeSwitch>& switches() const { return switches_; }
  std::uint32_t index_of(std::uint32_t level, std::uint32_t subtree, std::uint32_t plane) const;

  /// Switches of a level in each of its subtrees: the planes of what goes up to that level.
  std::uint32_t planes(std::uint32_t level) const { return planes_[level - 1]; }
  /// The plane that a path which reaches plane `plane` of `level` takes at the lower level `at`.
  std::uint32_t plane_below(std::uint32_t level, std::uint32_t plane, std::uint32_t at) const {
    return plane / (planes_[level - 1] / planes_[at - 1]);
  }
  /// The subtree of a level that an end belongs to: an NPU, or an I/O controller, which are numbered behind
  /// the NPUs.
  std::uint32_t subtree_of(hw::NpuId end, std::uint32_t level) const {
    const std::uint32_t like =
        end.value < npus() ? end.value : io_port(end.value - npus()).node * shape_.leaf_npus;
    return like / subtree_npus_[level - 1];
  }
  /// The level of the smallest subtree that holds all of `ends`.
  std::uint32_t level_above(const hw::Group& ends) const;

  /// Where an NPU or an I/O controller is attached.
  TreePort npu_port(hw::NpuId npu) const;
  TreePort io_port(std::uint32_t controller) const;
  /// The down port, one level higher, that an up port leads to.
  TreePort above(TreePort up) const;
  /// The port of a switch that an end of its subtree is at, or below which it lies.
  hw::PortId port_towards(const TreeSwitch& from, hw::NpuId end) const;
  /// The up port that leads from a switch towards plane `plane` of the higher level `level`.
  hw::PortId up_port(const TreeSwitch& from, std::uint32_t level, std::uint32_t plane) const;

 private:
  TreeShape shape_;
  std::vector<std::uint32_t> planes_;        ///< by level - 1
  std::vector<std::uint32_t> subtree_npus_;  ///< by level - 1
  std::vector<std::uint32_t> first_;         ///< by level - 1: index of the level's first switch
  std::vector<TreeSwitch> switches_;
};

}  // namespace fredsim::sw
