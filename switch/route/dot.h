#pragma once

#include <optional>
#include <string>
#include <vector>

#include "switch/route/routing.h"
#include "switch/route/structure.h"

namespace fredsim::sw {

/// A Graphviz picture (for `dot`) of a switch and the flows routed through it: ports and elements from left
/// to right by stage, each flow in its own color along every wire that it uses, elements that reduce or copy
/// marked "+" and "x", idle ones grey. `routes` has an entry for each flow; a flow without a route is only
/// listed in the legend.
std::string to_dot(const Structure&, const std::vector<PortFlow>& flows,
                   const std::vector<std::optional<Route>>& routes);

}  // namespace fredsim::sw
