#pragma once

#include "accel/collective/step.h"

namespace fredsim::accel {

/// Broadcasts of `elements` from a root; `mirror` of each is the reduction to it.
///
/// Each rank of `chain` passes them on to the next; the first is the root.
void chain_broadcast(const Ranks& chain, hw::Range elements, std::uint32_t chunk, Steps& steps);
/// From the root's place in its group along a chain across the groups, then along a chain within each.
void hierarchical_broadcast(const std::vector<Ranks>& groups, std::uint32_t root, hw::Range elements,
                            std::uint32_t chunk, Steps& steps);
/// The root sends to every other rank.
void direct_broadcast(std::uint32_t ranks, std::uint32_t root, hw::Range elements, std::uint32_t chunk,
                      Steps& steps);
/// A binomial tree: those that have it double in every round.
void binomial_broadcast(std::uint32_t ranks, std::uint32_t root, hw::Range elements, std::uint32_t chunk,
                        Steps& steps);

/// `ring` turned so that it begins with `first`.
Ranks starting_at(Ranks ring, std::uint32_t first);

}  // namespace fredsim::accel
