#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "accel/collective/step.h"
#include "hw/core/records.h"

namespace fredsim::accel {

/// How the members of a collective carry it out among themselves.
enum class Algorithm : std::uint8_t {
  ring,
  bidirectional_ring,  ///< half of the data each way round
  hierarchical_ring,   ///< rings within groups and across them
  hierarchical_2d,     ///< half of the data by rows first, half by columns first
  direct,              ///< everyone with everyone
  halving_doubling,    ///< recursive halving and doubling; binomial trees from and to a root
};
/// "ring", "bidirectional-ring", "hierarchical-ring", "hierarchical-2d", "direct", "halving-doubling".
std::string_view to_string(Algorithm);
std::optional<Algorithm> parse_algorithm(std::string_view);

/// Whether an algorithm needs equally large groups.
constexpr bool is_hierarchical(Algorithm a) {
  return a == Algorithm::hierarchical_ring || a == Algorithm::hierarchical_2d;
}

/// One collective for all_reduce, reduce_scatter, all_gather, broadcast and reduce.
struct CollectiveRequest {
  hw::OperationType type = hw::OperationType::all_reduce;
  Algorithm algorithm = Algorithm::ring;
  std::uint32_t ranks = 1;
  std::uint32_t root = 0;       ///< rank, for broadcast and reduce
  std::uint64_t elements = 0;   ///< of every rank's input; for all_gather of all shards together
  std::uint32_t chunks = 1;     ///< pieces that go through the algorithm one behind the other
  Ranks ring;                   ///< all ranks in the order of the ring; empty: ascending
  std::vector<Ranks> groups{};  ///< for hierarchical algorithms: rows of ranks, all of one size
};

/// The steps of a collective; none for one rank. Chunks stand one behind the other in the list, so that the
/// first in the list is the most urgent. Throws hw::InternalError for another type, and for groups that do
/// not hold every rank once or are not of one size.
Steps make_steps(const CollectiveRequest& request);

/// What a rank has from the start, and what it has to have in the end, in elements of the list's steps: the
/// operation's buffer; for all_gather that of the result, for reduce_scatter that of the input. Nothing for a
/// barrier.
struct Ends {
  hw::Range own;
  hw::Range result;
};
Ends ends_of(const CollectiveRequest& request, std::uint32_t rank);

}  // namespace fredsim::accel
