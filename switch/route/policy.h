#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "switch/route/search.h"

namespace fredsim::sw {

/// Flows that are routed together, with the route of each.
struct RoutedGroup {
  std::vector<std::uint32_t> flows;  ///< ascending indices into the given flows
  std::vector<Route> routes;         ///< one for each
};

/// Block (FRED sec. 5.3): the flows in turns, first fit in the given order. Each flow joins the first turn
/// that it routes together with; a search that is given up counts as not routing. Throws as check_flows does.
std::vector<RoutedGroup> turns(const Structure&, const std::vector<PortFlow>& flows,
                               const SearchLimits& limits = {});

/// A flow carried by the endpoints instead: the unicasts, from port to port, of a ring through all its ports
/// in ascending order. A unicast stays what it is.
struct Decomposed {
  std::uint32_t flow = 0;
  std::vector<std::pair<hw::PortId, hw::PortId>> unicasts;
};

struct Decomposition {
  RoutedGroup kept;
  std::vector<Decomposed> decomposed;  ///< ascending flow indices
};

/// Decompose (FRED sec. 5.3): keep in the network a set of flows that routes together, taking the largest
/// first (most ports, then the lowest index), and turn every other flow into unicasts. Throws as check_flows
/// does.
Decomposition decompose(const Structure&, const std::vector<PortFlow>& flows,
                        const SearchLimits& limits = {});

}  // namespace fredsim::sw
