#include "tb/plan/shapes.h"

#include <algorithm>

namespace fredsim::tb {
namespace {

std::uint64_t bits(const std::vector<hw::PortId>& ports) {
  std::uint64_t mask = 0;
  for (const hw::PortId p : ports) mask |= std::uint64_t{1} << p.value;
  return mask;
}

}  // namespace

ShapeId Shapes::add(const sw::PortFlow& ports) {
  const Mask mask{bits(ports.inputs), bits(ports.outputs)};
  const auto [found, fresh] =
      ids_.try_emplace({mask.inputs, mask.outputs}, static_cast<ShapeId>(shapes_.size()));
  if (fresh) shapes_.push_back({ports, mask});
  return found->second;
}

std::vector<sw::PortFlow> RoutingMemory::ports_of(const ShapeSet& set) const {
  std::vector<sw::PortFlow> flows;
  flows.reserve(set.size());
  for (const ShapeId s : set) flows.push_back(shapes_[s]);
  return flows;
}

const sw::RoutingAnswer& RoutingMemory::find(const ShapeSet& set) {
  const auto [found, fresh] = found_.try_emplace(set);
  if (fresh) {
    sw::SearchLimits limits;
    limits.explain = false;
    found->second = sw::route(structure_, ports_of(set), limits);
  }
  return found->second;
}

const sw::RoutingAnswer& RoutingMemory::explain(const ShapeSet& set) {
  const auto [found, fresh] = explained_.try_emplace(set);
  if (fresh) found->second = sw::route(structure_, ports_of(set));
  return found->second;
}

ShapeSet with(ShapeSet set, ShapeId shape) {
  const auto place = std::lower_bound(set.begin(), set.end(), shape);
  if (place == set.end() || *place != shape) set.insert(place, shape);
  return set;
}

}  // namespace fredsim::tb
