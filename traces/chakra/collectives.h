#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "hw/core/records.h"
#include "traces/chakra/rank_trace.h"

namespace fredsim::trace {

/// Process groups by name; "" is that of all ranks.
std::map<std::string, hw::Group> chakra_groups(const std::vector<RankTrace>& ranks);

/// One collective with the node of each member, in the group's order.
struct MatchedCollective {
  hw::Operation operation;           ///< without dependencies
  std::vector<std::uint32_t> nodes;  ///< index into the nodes of rank operation.npus[i]
};

/// The k-th collective of a group at one rank is the k-th of that group at every other.
std::vector<MatchedCollective> match_collectives(const std::vector<RankTrace>& ranks);

}  // namespace fredsim::trace
