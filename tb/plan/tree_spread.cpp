#include <algorithm>
#include <map>

#include "tb/plan/spread.h"

namespace fredsim::tb {

PlaneRange TreeSpread::planes_of(const hw::Flow& stream) const {
  hw::Group members = stream.sources;
  members.insert(members.end(), stream.destinations.begin(), stream.destinations.end());
  const std::uint32_t root = tree_.level_above(members);
  if (root == 1) return {};
  const PlaneRange range = planes_.of_operation[stream.operation.value];
  const std::uint32_t each = tree_.planes(root) / tree_.planes(2);
  return {range.first * each, range.count * each};
}

std::vector<hw::Bandwidth> TreeSpread::pace_of(
    const std::vector<std::pair<hw::NpuId, hw::NpuId>>& streams) const {
  std::vector<hw::Bandwidth> pace(streams.size());
  if (options_.level_bandwidth.size() < tree_.levels()) return pace;
  for (std::uint32_t level = 1; level < tree_.levels(); ++level) {
    const auto leaves = [&](const std::pair<hw::NpuId, hw::NpuId>& stream) {
      return tree_.subtree_of(stream.first, level) != tree_.subtree_of(stream.second, level);
    };
    std::map<std::uint32_t, std::uint64_t> leaving;  // streams, by subtree
    for (const auto& stream : streams) {
      if (leaves(stream)) ++leaving[tree_.subtree_of(stream.first, level)];
    }
    const std::uint64_t all = options_.level_bandwidth[level].bits_per_second() * tree_.planes(level + 1);
    for (std::size_t s = 0; s < streams.size(); ++s) {
      if (!leaves(streams[s])) continue;
      const std::uint64_t share = all / leaving[tree_.subtree_of(streams[s].first, level)];
      const std::uint64_t before = pace[s].bits_per_second();
      if (share >= options_.npu_bandwidth.bits_per_second()) continue;
      if (before == 0 || share < before)
        pace[s] = hw::Bandwidth::bits_per_second(std::max<std::uint64_t>(share, 1));
    }
  }
  return pace;
}

/// The streams of all controllers outside a subtree share its links down (FRED sec. 7.1).
hw::Bandwidth TreeSpread::broadcast_pace() const {
  hw::Bandwidth pace;
  if (options_.level_bandwidth.size() < tree_.levels()) return pace;
  for (std::uint32_t level = 1; level < tree_.levels(); ++level) {
    std::map<std::uint32_t, std::uint32_t> inside;
    for (std::uint32_t c = 0; c < tree_.io_controllers(); ++c)
      ++inside[tree_.subtree_of(hw::NpuId(tree_.npus() + c), level)];
    std::uint32_t fewest = tree_.io_controllers();
    const std::uint32_t subtrees = tree_.subtree_of(hw::NpuId(tree_.npus() - 1), level) + 1;
    for (std::uint32_t s = 0; s < subtrees; ++s) fewest = std::min(fewest, inside[s]);
    const std::uint64_t outside = std::max(1u, tree_.io_controllers() - fewest);
    const std::uint64_t all = options_.level_bandwidth[level].bits_per_second() * tree_.planes(level + 1);
    const auto share = hw::Bandwidth::bits_per_second(std::max<std::uint64_t>(1, all / outside));
    if (share < options_.io_bandwidth && (pace == hw::Bandwidth() || share < pace)) pace = share;
  }
  return pace;
}

}  // namespace fredsim::tb
