#include "switch/fabric/tree.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <numeric>
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

namespace {

/// The product, or the highest number there is.
std::uint64_t times(std::uint64_t a, std::uint64_t b) {
  std::uint64_t product = 0;
  return __builtin_mul_overflow(a, b, &product) ? std::numeric_limits<std::uint64_t>::max() : product;
}

}  // namespace

std::uint32_t TreeShape::down_ports(std::uint32_t level) const {
  return level == 1 ? leaf_npus : upper[level - 2].children;
}

std::uint32_t TreeShape::io_ports(std::uint32_t level) const {
  if (level > 1) return 0;
  const std::uint64_t leaves = npus() / leaf_npus;
  return static_cast<std::uint32_t>((io_controllers + leaves - 1) / leaves);
}

std::uint32_t TreeShape::up_ports(std::uint32_t level) const {
  return level < levels() ? upper[level - 1].planes : 0;
}

std::uint64_t TreeShape::npus() const {
  return std::accumulate(upper.begin(), upper.end(), std::uint64_t{leaf_npus},
                         [](std::uint64_t sum, const Level& level) { return times(sum, level.children); });
}

std::uint64_t TreeShape::switches() const {
  // From the root down: a level has the subtrees of the one above times its children.
  std::vector<std::uint64_t> planes{1};
  for (const Level& level : upper) planes.push_back(times(planes.back(), level.planes));
  std::uint64_t sum = planes.back();
  std::uint64_t subtrees = 1;
  for (std::size_t level = upper.size(); level > 0; --level) {
    subtrees = times(subtrees, upper[level - 1].children);
    if (__builtin_add_overflow(sum, times(subtrees, planes[level - 1]), &sum))
      return std::numeric_limits<std::uint64_t>::max();
  }
  return sum;
}

Tree::Tree(TreeShape shape) : shape_(std::move(shape)) {
  const std::uint32_t levels_count = levels();
  const auto has_none = [](const TreeShape::Level& level) {
    return level.children == 0 || level.planes == 0;
  };
  if (shape_.leaf_npus == 0 || std::any_of(shape_.upper.begin(), shape_.upper.end(), has_none)) {
    throw hw::InputError("a tree needs at least one NPU a leaf, and one child and one plane at every level");
  }
  if (std::max(shape_.npus(), shape_.switches()) > max_tree_size) {
    throw hw::InputError(fmt::format("a tree of {} NPUs and {} switches is too large; {} of each are allowed",
                                     shape_.npus(), shape_.switches(), max_tree_size));
  }
  planes_.push_back(1);
  subtree_npus_.push_back(shape_.leaf_npus);
  for (const TreeShape::Level& level : shape_.upper) {
    planes_.push_back(planes_.back() * level.planes);
    subtree_npus_.push_back(subtree_npus_.back() * level.children);
  }
  for (std::uint32_t level = 1; level <= levels_count; ++level) {
    first_.push_back(static_cast<std::uint32_t>(switches_.size()));
    TreeSwitch node;
    node.level = level;
    node.down_ports = shape_.down_ports(level);
    node.io_ports = shape_.io_ports(level);
    node.up_ports = shape_.up_ports(level);
    const std::uint64_t ports = std::uint64_t{node.down_ports} + node.io_ports + node.up_ports;
    if (ports < min_ports || ports > max_ports) {
      throw hw::InputError(fmt::format(
          "a switch of level {} would have {} ports ({} down, {} for I/O controllers, {} up); {} to {} are "
          "allowed",
          level, ports, node.down_ports, node.io_ports, node.up_ports, min_ports, max_ports));
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

std::uint32_t Tree::level_above(const hw::Group& ends) const {
  std::uint32_t level = 1;
  for (const hw::NpuId end : ends) {
    while (subtree_of(end, level) != subtree_of(ends.front(), level)) ++level;
  }
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

hw::PortId Tree::port_towards(const TreeSwitch& from, hw::NpuId end) const {
  if (from.level > 1) return hw::PortId{subtree_of(end, from.level - 1) % from.down_ports};
  return end.value < npus() ? hw::PortId{end.value % shape_.leaf_npus} : io_port(end.value - npus()).port;
}

hw::PortId Tree::up_port(const TreeSwitch& from, std::uint32_t level, std::uint32_t plane) const {
  return hw::PortId{from.first_up_port() + plane_below(level, plane, from.level + 1) % from.up_ports};
}

}  // namespace fredsim::sw
