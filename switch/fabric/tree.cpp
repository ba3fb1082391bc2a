#include "switch/fabric/tree.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "hw/core/error.h"
#include "switch/route/structure.h"

namespace fredsim::sw {

TreeShape single_switch(std::uint32_t ports) {
  TreeShape shape;
  shape.leaf_npus = ports;
  shape.single_switch_name = "switch";
  return shape;
}

Tree::Tree(TreeShape shape) : shape_(std::move(shape)) {
  const auto levels_count = levels();
  planes_.push_back(1);
  subtree_npus_.push_back(shape_.leaf_npus);
  for (const TreeShape::Level& level : shape_.upper) {
    planes_.push_back(planes_.back() * level.planes);
    subtree_npus_.push_back(subtree_npus_.back() * level.children);
  }
  const std::uint32_t leaves = npus() / shape_.leaf_npus;
  for (std::uint32_t level = 1; level <= levels_count; ++level) {
    first_.push_back(static_cast<std::uint32_t>(switches_.size()));
    TreeSwitch node;
    node.level = level;
    node.down_ports = level == 1 ? shape_.leaf_npus : shape_.upper[level - 2].children;
    node.io_ports = level == 1 ? (shape_.io_controllers + leaves - 1) / leaves : 0;
    node.up_ports = level < levels_count ? shape_.upper[level - 1].planes : 0;
    if (node.ports() < min_ports || node.ports() > max_ports) {
      throw hw::InputError(fmt::format(
          "a switch of level {} would have {} ports ({} down, {} for I/O controllers, {} up); {} to {} are "
          "allowed",
          level, node.ports(), node.down_ports, node.io_ports, node.up_ports, min_ports, max_ports));
    }
    const std::uint32_t subtrees = npus() / subtree_npus_[level - 1];
    for (node.subtree = 0; node.subtree < subtrees; ++node.subtree) {
      for (node.plane = 0; node.plane < planes(level); ++node.plane) {
        node.name = fmt::format("l{}_{}", level, node.subtree * planes(level) + node.plane);
        switches_.push_back(node);
      }
    }
  }
  if (levels_count == 1 && !shape_.single_switch_name.empty()) switches_[0].name = shape_.single_switch_name;
}

std::uint32_t Tree::index_of(std::uint32_t level, std::uint32_t subtree, std::uint32_t plane) const {
  return first_[level - 1] + subtree * planes(level) + plane;
}

std::uint32_t Tree::level_above(const hw::Group& npus) const {
  const auto [first, last] = std::minmax_element(npus.begin(), npus.end());
  std::uint32_t level = 1;
  while (subtree_of(*first, level) != subtree_of(*last, level)) ++level;
  return level;
}

TreePort Tree::npu_port(hw::NpuId npu) const {
  return {index_of(1, subtree_of(npu, 1), 0), hw::PortId{npu.value % shape_.leaf_npus}};
}

TreePort Tree::io_port(std::uint32_t controller) const {
  const std::uint32_t leaves = npus() / shape_.leaf_npus;
  // Leaf l has the controllers of shard l, as data is cut among ranks.
  std::uint32_t leaf = static_cast<std::uint32_t>(std::uint64_t{controller} * leaves / shape_.io_controllers);
  while (hw::shard(shape_.io_controllers, leaves, leaf).end <= controller) ++leaf;
  const auto place =
      static_cast<std::uint32_t>(controller - hw::shard(shape_.io_controllers, leaves, leaf).begin);
  return {index_of(1, leaf, 0), hw::PortId{shape_.leaf_npus + place}};
}

TreePort Tree::above(TreePort up) const {
  const TreeSwitch& from = switches_[up.node];
  const TreeShape::Level& level = shape_.upper[from.level - 1];
  const std::uint32_t plane = from.plane * level.planes + (up.port.value - from.first_up_port());
  return {index_of(from.level + 1, from.subtree / level.children, plane),
          hw::PortId{from.subtree % level.children}};
}

hw::PortId Tree::port_towards(const TreeSwitch& from, hw::NpuId npu) const {
  if (from.level == 1) return hw::PortId{npu.value % shape_.leaf_npus};
  return hw::PortId{subtree_of(npu, from.level - 1) % from.down_ports};
}

hw::PortId Tree::up_port(const TreeSwitch& from, std::uint32_t level, std::uint32_t plane) const {
  return hw::PortId{from.first_up_port() + plane_below(level, plane, from.level + 1) % from.up_ports};
}

}  // namespace fredsim::sw
