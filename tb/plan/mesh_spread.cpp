#include "tb/plan/mesh_spread.h"

#include <algorithm>
#include <map>

#include "switch/mesh/io_tree.h"

namespace fredsim::tb {

std::vector<hw::Bandwidth> MeshSpread::pace_of(
    const std::vector<std::pair<hw::NpuId, hw::NpuId>>& streams) const {
  // Streams over each link, by the router that it leaves and the side.
  std::map<std::pair<std::uint32_t, sw::Side>, std::uint64_t> over;
  const auto for_each_link = [&](const std::pair<hw::NpuId, hw::NpuId>& stream, auto f) {
    std::uint32_t node = stream.first.value;
    while (node != stream.second.value) {
      const sw::Side side = mesh_.towards(node, stream.second.value);
      f(std::pair(node, side));
      node = *mesh_.neighbour(node, side);
    }
  };
  for (const auto& stream : streams) for_each_link(stream, [&](const auto& link) { ++over[link]; });
  std::vector<hw::Bandwidth> pace;
  for (const auto& stream : streams) {
    std::uint64_t most = 1;
    for_each_link(stream, [&](const auto& link) { most = std::max(most, over[link]); });
    const auto share =
        hw::Bandwidth::bits_per_second(std::max<std::uint64_t>(1, link_.bits_per_second() / most));
    pace.push_back(share < npu_link_ ? share : hw::Bandwidth());
  }
  return pace;
}

/// The streams over the hot link share its rate (FRED sec. 7.1), so that no tree starves another.
hw::Bandwidth MeshSpread::broadcast_pace() const {
  const std::uint64_t streams = std::max(1u, sw::hot_link_streams(mesh_));
  const auto share =
      hw::Bandwidth::bits_per_second(std::max<std::uint64_t>(1, link_.bits_per_second() / streams));
  return share < io_link_ ? share : hw::Bandwidth();
}

}  // namespace fredsim::tb
