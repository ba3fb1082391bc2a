#pragma once

#include <cstdint>
#include <vector>

namespace fredsim::agg {

/// Sites that exchange their updates in a round, ascending.
using Clique = std::vector<std::uint32_t>;
/// Cliques that share no site, in the order of their first sites. Sites in none, or alone in one, wait.
using Round = std::vector<Clique>;

/// The same round with every site of `sites` in a clique, cliques and members in order. Throws InternalError
/// when a site is out of range or in two cliques.
Round normalized(Round round, std::uint32_t sites);

/// A clique as a bit set of its members.
std::uint64_t bits(const Clique& clique);

/// The sizes of the cliques, descending.
std::vector<std::size_t> sizes(const Round& round);

}  // namespace fredsim::agg
