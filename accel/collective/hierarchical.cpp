#include "accel/collective/hierarchical.h"

#include "accel/collective/ring.h"

namespace fredsim::accel {
namespace {

std::vector<Ranges> blocks_within(const std::vector<Ranks>& across, const std::vector<Ranges>& blocks) {
  std::vector<Ranges> within;
  for (const Ranks& ring : across) {
    std::vector<Ranges> parts;
    for (const std::uint32_t rank : ring) parts.push_back(blocks[rank]);
    within.push_back(join(parts));
  }
  return within;
}

std::vector<Ranges> blocks_across(const Ranks& ring, const std::vector<Ranges>& blocks) {
  std::vector<Ranges> own;
  for (const std::uint32_t rank : ring) own.push_back(blocks[rank]);
  return own;
}

}  // namespace

std::vector<Ranks> transposed(const std::vector<Ranks>& groups) {
  std::vector<Ranks> across(groups.front().size());
  for (const Ranks& group : groups) {
    for (std::size_t j = 0; j < group.size(); ++j) across[j].push_back(group[j]);
  }
  return across;
}

void hierarchical_reduce_scatter(const std::vector<Ranks>& groups, const std::vector<Ranges>& blocks,
                                 std::uint32_t chunk, Steps& steps) {
  const std::vector<Ranks> across = transposed(groups);
  const std::vector<Ranges> within = blocks_within(across, blocks);
  for (const Ranks& group : groups) ring_reduce_scatter(group, within, chunk, steps);
  for (const Ranks& ring : across) ring_reduce_scatter(ring, blocks_across(ring, blocks), chunk, steps);
}

void hierarchical_all_gather(const std::vector<Ranks>& groups, const std::vector<Ranges>& blocks,
                             std::uint32_t chunk, Steps& steps) {
  const std::vector<Ranks> across = transposed(groups);
  const std::vector<Ranges> within = blocks_within(across, blocks);
  for (const Ranks& ring : across) ring_all_gather(ring, blocks_across(ring, blocks), chunk, steps);
  for (const Ranks& group : groups) ring_all_gather(group, within, chunk, steps);
}

}  // namespace fredsim::accel
