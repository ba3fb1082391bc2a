#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "accel/collective/algorithm.h"
#include "accel/collective/rank_steps.h"

namespace fredsim::accel::test {

/// An element: which ranks' terms it holds, and in which order they were added: "((0+1)+2)".
using Element = std::string;
/// By rank, by element; empty where the rank has nothing.
using Memory = std::vector<std::vector<Element>>;

Memory initial(const CollectiveRequest& request);

/// Carries the steps out one after the other.
Memory play_list(const CollectiveRequest& request, const Steps& steps);

/// Lets the ranks run ahead: as long as something can happen, a message that may go, or one that has been
/// sent and may be put or added, is chosen by chance. A message is read when it is put or added, long after
/// it was sent, out of what receives have left.
Memory play_ranks(const CollectiveRequest& request, const std::vector<RankSteps>& ranks, std::uint64_t seed);

/// Hierarchies of `ranks` in rows of `columns`, which divides them.
std::vector<Ranks> rows(std::uint32_t ranks, std::uint32_t columns);

}  // namespace fredsim::accel::test
