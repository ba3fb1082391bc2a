#pragma once

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "switch/route/routing.h"
#include "switch/route/structure.h"

namespace fredsim::sw {

/// Limits of the routing search, in steps, so that the answer does not depend on the machine. A step is one
/// color tried for one flow.
struct SearchLimits {
  std::uint64_t steps =
      200'000;          ///< for the routing, and again for each of the three parts of an explanation
  bool explain = true;  ///< whether a conflict's set, level, smallest m and swap are looked for
};

/// Why flows cannot be routed together, and what would help.
struct Conflict {
  /// An irreducible set that cannot be routed together, as ascending indices: without any one of them the
  /// rest routes.
  std::vector<std::uint32_t> flows;
  /// The level (0 = outermost) at which that set fails: the levels above it can be colored together, and this
  /// one not with them.
  std::uint32_t level = 0;
  /// The smallest m, up to 8, with which all given flows route; absent if there is none.
  std::optional<std::uint32_t> smallest_middle;
  /// Two ports, the lower first, that make all given flows route when they are exchanged in every flow, as
  /// inputs and as outputs; absent if there are none. Of several pairs: one inside the set before one that
  /// moves other ports, then the one that leaves the first flows of the set in place, then the lowest ports.
  std::optional<std::pair<hw::PortId, hw::PortId>> swap;

  /// Where no exchange of two helps: for each port the one to which what is there would move, so that all
  /// given flows route. Larger flows, and then earlier ones, get consecutive ports first. Empty if that does
  /// not do either.
  std::vector<hw::PortId> placement;

  bool flows_complete = true;   ///< false: the step limit ended the search, `flows` may still be reducible
  bool level_complete = true;   ///< false: likewise, `level` may be deeper
  bool middle_complete = true;  ///< false: likewise, an absent or smaller m may exist
  bool swap_complete = true;    ///< false: likewise, an absent or earlier swap may exist
};

struct RoutingAnswer {
  enum class Outcome : std::uint8_t {
    routed,    ///< `routes` holds one route for each flow
    conflict,  ///< no routing exists
    given_up,  ///< the step limit was reached before either was known
  };
  Outcome outcome = Outcome::given_up;
  std::vector<Route> routes;
  std::optional<Conflict> conflict;  ///< for Outcome::conflict when SearchLimits::explain
  std::uint64_t steps = 0;           ///< that finding the routing, or that there is none, took

  bool routed() const { return outcome == Outcome::routed; }
};

/// Throws hw::InputError, without a place but naming the flow by its index ("flow 1: ..."), if a flow has no
/// inputs or no outputs, a port is out of range or twice in one side of a flow, or a port is an input, or an
/// output, of two flows.
void check_flows(const Structure&, const std::vector<PortFlow>& flows);

/// Route flows together (FRED sec. 5.2): at each level two flows conflict when they share an input or an
/// output micro-switch, the conflict graph is colored with m colors, the color is the middle switch, and each
/// middle switch is routed in turn. The search is complete: it goes back across levels, since a coloring that
/// is right at one level can make a deeper level impossible. The same flows always give the same answer.
/// Throws as check_flows does.
RoutingAnswer route(const Structure&, const std::vector<PortFlow>& flows, const SearchLimits& limits = {});

/// `flows` with every port p replaced by placement[p].
std::vector<PortFlow> place_ports(std::vector<PortFlow> flows, const std::vector<hw::PortId>& placement);

/// `flows` with ports a and b exchanged everywhere.
std::vector<PortFlow> swap_ports(std::vector<PortFlow> flows, hw::PortId a, hw::PortId b);

}  // namespace fredsim::sw
