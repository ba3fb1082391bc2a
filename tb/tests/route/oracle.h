#pragma once

#include <cstdint>
#include <random>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "switch/route/search.h"
#include "switch/route/settings.h"

namespace fredsim::sw::test {

using Ports = std::set<std::uint32_t>;

/// {{0, 2}, {0, 2}} from ({0, 2}, {0, 2}).
PortFlow flow(const Ports& inputs, const Ports& outputs);
/// An all-reduce among these ports.
inline PortFlow all_reduce(const Ports& ports) {
  return flow(ports, ports);
}

/// Whether flows route together, by trying every proper coloring of every level one after the other: a second
/// search that shares nothing with the first. Levels from `levels` on are taken to route anything.
bool routable(std::uint32_t ports, std::uint32_t middle, const std::vector<PortFlow>& flows,
              std::uint32_t levels);
bool routable(const Structure&, const std::vector<PortFlow>& flows);
/// Whether that search has no need to return to a level after it has gone on to the next.
bool routable_at_first_try(const Structure&, const std::vector<PortFlow>& flows);

/// Carries what enters at every flow's inputs through the elements as `settings` has them work, following the
/// wires of Structure. Returns what is wrong with the outcome, empty if nothing: an element waits for what
/// does not come, a wire carries two flows, an output port gets something else than the sum of exactly the
/// flow's inputs, in the order of reduction_order.
std::string replay(const Structure&, const std::vector<PortFlow>& flows, const std::vector<Route>& routes);

/// Random flows of disjoint ports. `kind`: "unicast", "all_reduce", "reduce", "multicast" or "mix"; `fill` is
/// the share of the ports that is dealt out.
std::vector<PortFlow> random_flows(std::mt19937& random, std::uint32_t ports, const std::string& kind,
                                   double fill);

/// " 0,2>0,2 1>3", and back.
std::string to_string(const std::vector<PortFlow>& flows);
std::vector<PortFlow> flows_of(const std::string& text);

}  // namespace fredsim::sw::test
