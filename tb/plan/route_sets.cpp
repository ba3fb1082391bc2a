#include "tb/plan/route_sets.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <numeric>

#include "hw/core/error.h"
#include "tb/plan/batches.h"
#include "tb/plan/shapes.h"

namespace fredsim::tb {
namespace {

/// Each batch's set of shapes, every set once and none part of another.
struct Sets {
  std::vector<ShapeSet> shapes;
  std::vector<std::uint32_t> of_batch;
};

Sets share_sets(const std::vector<ShapeSet>& batches) {
  std::map<ShapeSet, std::uint32_t> distinct;
  for (const ShapeSet& batch : batches) distinct.emplace(batch, 0);
  std::vector<const ShapeSet*> largest_first;
  for (const auto& [set, index] : distinct) largest_first.push_back(&set);
  std::stable_sort(largest_first.begin(), largest_first.end(),
                   [](const ShapeSet* a, const ShapeSet* b) { return a->size() > b->size(); });

  Sets sets;
  std::map<ShapeId, std::vector<std::uint32_t>> containing;
  for (const ShapeSet* set : largest_first) {
    const std::vector<std::uint32_t>& candidates = containing[set->front()];
    const auto larger = std::find_if(candidates.begin(), candidates.end(), [&](std::uint32_t c) {
      return std::includes(sets.shapes[c].begin(), sets.shapes[c].end(), set->begin(), set->end());
    });
    if (larger != candidates.end()) {
      distinct[*set] = *larger;
      continue;
    }
    const auto index = static_cast<std::uint32_t>(sets.shapes.size());
    distinct[*set] = index;
    for (const ShapeId s : *set) containing[s].push_back(index);
    sets.shapes.push_back(*set);
  }
  for (const ShapeSet& batch : batches) sets.of_batch.push_back(distinct[batch]);
  return sets;
}

/// Sets that hold every shape once, as few as first fit finds.
std::vector<ShapeSet> pack(const Shapes& shapes, RoutingMemory& routing) {
  std::vector<ShapeId> largest_first(shapes.size());
  std::iota(largest_first.begin(), largest_first.end(), 0);
  const auto ports = [&](ShapeId s) { return shapes[s].inputs.size() + shapes[s].outputs.size(); };
  std::stable_sort(largest_first.begin(), largest_first.end(),
                   [&](ShapeId a, ShapeId b) { return ports(a) > ports(b); });

  std::vector<ShapeSet> sets;
  std::vector<Shapes::Mask> used;
  for (const ShapeId shape : largest_first) {
    std::size_t i = 0;
    for (; i < sets.size(); ++i) {
      if (!used[i].disjoint(shapes.mask(shape))) continue;
      ShapeSet larger = with(sets[i], shape);
      if (!routing.routes(larger)) continue;
      sets[i] = std::move(larger);
      break;
    }
    if (i == sets.size()) {
      sets.push_back({shape});
      used.emplace_back();
    }
    used[i] |= shapes.mask(shape);
  }
  return sets;
}

class SwitchRouter {
 public:
  SwitchRouter(const hw::Workload& workload, SwitchTraffic traffic, const sw::TreeSwitch& node,
               const PlanOptions& options)
      : workload_(workload),
        traffic_(std::move(traffic)),
        options_(options),
        node_(node),
        structure_(node.ports(), options.middle),
        routing_(structure_, traffic_.shapes) {}

  RoutedSwitch run(const Concurrency& concurrency) {
    Batches batches = gather_batches(workload_, concurrency, traffic_, routing_, options_.conflict, node_);
    const Sets sets = share_sets(batches.shapes);

    RoutedSwitch routed;
    routed.turns = std::move(batches.turns);
    const bool reload = options_.route_miss == RouteMiss::reload;
    if (reload && !sets.shapes.empty() && !fits(1)) refuse_any();
    if (reload || fits(sets.shapes.size())) {
      write(
          sets.shapes,
          [&](std::size_t f) { return sets.of_batch[batches.of_crossing[traffic_.crossing[f]]]; },
          routed.plan);
      return routed;
    }
    const std::vector<ShapeSet> packed = pack(traffic_.shapes, routing_);
    if (!fits(packed.size())) refuse(packed.size());
    std::vector<std::uint32_t> set_of_shape(traffic_.shapes.size());
    for (std::uint32_t i = 0; i < packed.size(); ++i) {
      for (const ShapeId s : packed[i]) set_of_shape[s] = i;
    }
    write(
        packed, [&](std::size_t f) { return set_of_shape[traffic_.shape[f]]; }, routed.plan);
    routed.packed = true;
    return routed;
  }

 private:
  std::uint64_t bits_for(std::size_t sets) const { return std::uint64_t{structure_.route_bits()} * sets; }
  bool fits(std::size_t sets) const {
    return options_.route_memory.is_unlimited() || bits_for(sets) <= options_.route_memory.bytes() * 8;
  }

  [[noreturn]] void refuse(std::size_t sets) const {
    throw hw::InputError(
        fmt::format("{}: at {}, {} different flows need {} route sets of {} at {} bits each, but "
                    "switch.route_memory, {}, "
                    "holds {}; {} would do, or switch.route_miss: reload",
                    workload_.source, node_.name, traffic_.shapes.size(), sets, sw::to_string(structure_),
                    structure_.route_bits(), hw::to_string(options_.route_memory),
                    options_.route_memory.bytes() * 8 / structure_.route_bits(),
                    hw::bytes_to_string((bits_for(sets) + 7) / 8)));
  }

  [[noreturn]] void refuse_any() const {
    throw hw::InputError(fmt::format(
        "{}: at {}, one route set of {} takes {} bits, but switch.route_memory, {}, holds {}; {} would do",
        workload_.source, node_.name, sw::to_string(structure_), structure_.route_bits(),
        hw::to_string(options_.route_memory), options_.route_memory.bytes() * 8,
        hw::bytes_to_string((bits_for(1) + 7) / 8)));
  }

  /// `set_of` gives the set of each flow that has a crossing. Route sets are numbered from 1 in the order in
  /// which the flows use them.
  template <class SetOf>
  void write(const std::vector<ShapeSet>& sets, SetOf set_of, sw::SwitchPlan& plan) {
    plan.ports = structure_.ports();
    plan.middle = options_.middle;
    plan.route_sets.emplace_back();
    plan.flows = std::move(traffic_.flows);
    std::vector<std::uint32_t> number(sets.size(), 0);
    for (std::size_t f = 0; f < plan.flows.size(); ++f) {
      if (traffic_.crossing[f] == SwitchTraffic::none) continue;
      const std::uint32_t set_index = set_of(f);
      const ShapeSet& set = sets[set_index];
      std::uint32_t& n = number[set_index];
      if (n == 0) {
        n = static_cast<std::uint32_t>(plan.route_sets.size());
        plan.route_sets.push_back(route_set(set));
      }
      plan.flows[f].route_set = n;
      plan.flows[f].index = static_cast<std::uint32_t>(
          std::lower_bound(set.begin(), set.end(), traffic_.shape[f]) - set.begin());
    }
  }

  sw::RouteSet route_set(const ShapeSet& shapes) {
    sw::RouteSet set;
    for (const ShapeId s : shapes) set.flows.push_back(traffic_.shapes[s]);
    set.routes = routing_.find(shapes).routes;
    return set;
  }

  const hw::Workload& workload_;
  SwitchTraffic traffic_;
  const PlanOptions& options_;
  const sw::TreeSwitch& node_;
  sw::Structure structure_;
  RoutingMemory routing_;
};

}  // namespace

RoutedSwitch route_switch(const hw::Workload& workload, const Concurrency& concurrency, SwitchTraffic traffic,
                          const sw::TreeSwitch& node, const PlanOptions& options) {
  return SwitchRouter(workload, std::move(traffic), node, options).run(concurrency);
}

}  // namespace fredsim::tb
