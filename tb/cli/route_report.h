#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "switch/route/policy.h"
#include "switch/route/search.h"

namespace fredsim::tb {

/// What `fredsim route` found out.
struct RouteReport {
  sw::Structure structure;
  std::vector<sw::PortFlow> flows;
  sw::RoutingAnswer answer;
  sw::SearchLimits limits;
  std::optional<std::vector<sw::RoutedGroup>> turns;  ///< policy block
  std::optional<sw::Decomposition> decomposition;     ///< policy decompose
};

/// The route of each flow: that of all together, else that in its turn or among the flows kept; absent where
/// neither is known.
std::vector<std::optional<sw::Route>> routes_of(const RouteReport&);

/// {"routed", "switch": {"ports", "middle"}, "flows": [{"inputs", "outputs", "path"}], "micro_switches":
/// {"r", "d", "rd"}, "hops", "route_bits", "conflict": {"flows", "level", "smallest_middle", "swap"}}, and
/// only where they apply: "turns" (policy block), "decomposed" (policy decompose), "given_up_after_steps",
/// and in "conflict" "incomplete", the keys whose search reached the step limit.
nlohmann::ordered_json to_json(const RouteReport&);

/// The same for a person, in a few lines.
std::string to_text(const RouteReport&);

}  // namespace fredsim::tb
