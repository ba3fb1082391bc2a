#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "switch/route/search.h"

namespace fredsim::sw::test {

/// The kinds that random_flows deals out.
const std::vector<std::string>& kinds();

/// Limits of a search that explains nothing.
SearchLimits only_routing();

/// Fails the test unless the search agrees with the oracle on whether the flows route, and what it routed
/// works.
void check_search(const Structure&, const std::vector<PortFlow>& flows);

/// check_search for random flows on switches of 2 to 20 ports, m = 2 and 3.
void check_random_sets(std::uint32_t seed, int rounds);

/// Fails the test unless every claim about random conflicts holds by the oracle.
void check_random_conflicts(std::uint32_t seed, int conflicts);

}  // namespace fredsim::sw::test
