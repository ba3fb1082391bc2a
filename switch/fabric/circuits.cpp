#include "switch/fabric/circuits.h"

#include <algorithm>

namespace fredsim::sw {

Circuits::Circuits(const Structure& structure, const SwitchPlan& plan, Interconnect& interconnect)
    : plan_(plan), interconnect_(interconnect), online_(structure), online_at_(structure.ports()) {}

void Circuits::add(const SwitchFlow& flow) {
  Place& place = places_.emplace_back();
  place.home = flow.route_set;
  if (flow.route_set == 0) return;
  const PortFlow& routed = plan_.route_sets.at(flow.route_set).flows.at(flow.index);
  const auto [found, fresh] = known_.try_emplace({routed, flow.ports}, circuits_.size());
  place.laid = found->second;
  if (!fresh) return;
  circuits_.emplace_back(plan_.route_sets.size(), none);
  for (std::size_t s = 1; s < plan_.route_sets.size(); ++s) {
    const RouteSet& set = plan_.route_sets[s];
    const auto at = std::find(set.flows.begin(), set.flows.end(), routed);
    if (at == set.flows.end()) continue;
    interconnect_.lay(laid_circuits_, flow.ports,
                      set.routes[static_cast<std::size_t>(at - set.flows.begin())]);
    circuits_.back()[s] = laid_circuits_++;
  }
}

std::uint32_t Circuits::route_set_of(std::size_t flow, std::uint32_t served) const {
  const Place& place = places_[flow];
  if (place.home == 0 || served == 0) return place.home;
  return circuits_[place.laid][served] == none ? place.home : served;
}

bool Circuits::open(const PortFlow& unicast) {
  const hw::PortId in = unicast.inputs.front();
  const hw::PortId out = unicast.outputs.front();
  const Route* route = online_.open(in, out);
  if (!route) return false;
  Online& laid = online_at_[in.value];
  if (laid.output != out.value || laid.route.colors != route->colors) {
    laid = {out.value, *route};
    interconnect_.lay(online_circuit(in), unicast, *route);
  }
  return true;
}

}  // namespace fredsim::sw
