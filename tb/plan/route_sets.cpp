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
  SwitchRouter(const hw::Workload& workload, const std::vector<hw::Flow>& flows, const PlanOptions& options)
      : workload_(workload),
        flows_(flows),
        options_(options),
        structure_(options.ports, options.middle),
        routing_(structure_, shapes_) {}

  RoutedSwitch run(const Order& order) {
    find_shapes();
    Batches batches =
        gather_batches(workload_, order, flows_, shape_of_, shapes_, routing_, options_.conflict);
    const Sets sets = share_sets(batches.shapes);

    RoutedSwitch routed;
    routed.turns = std::move(batches.turns);
    std::vector<std::uint32_t> set_of(flows_.size(), Batches::none);
    if (fits(sets.shapes.size())) {
      for (std::size_t f = 0; f < flows_.size(); ++f) {
        if (shape_of_[f] != Batches::none) set_of[f] = sets.of_batch[batches.of_flow[f]];
      }
      write(sets.shapes, set_of, routed.plan);
      return routed;
    }
    const std::vector<ShapeSet> packed = pack(shapes_, routing_);
    if (!fits(packed.size())) refuse(packed.size());
    std::vector<std::uint32_t> set_of_shape(shapes_.size());
    for (std::uint32_t i = 0; i < packed.size(); ++i) {
      for (const ShapeId s : packed[i]) set_of_shape[s] = i;
    }
    for (std::size_t f = 0; f < flows_.size(); ++f) {
      if (shape_of_[f] != Batches::none) set_of[f] = set_of_shape[shape_of_[f]];
    }
    write(packed, set_of, routed.plan);
    routed.packed = true;
    return routed;
  }

 private:
  static std::vector<hw::PortId> ports_of(const hw::Group& npus) {
    std::vector<hw::PortId> ports;
    ports.reserve(npus.size());
    for (const hw::NpuId npu : npus) ports.emplace_back(npu.value);
    return ports;
  }

  void find_shapes() {
    shape_of_.assign(flows_.size(), Batches::none);
    for (std::size_t f = 0; f < flows_.size(); ++f) {
      const hw::Flow& flow = flows_[f];
      const bool one_to_one = flow.sources.size() == 1 && flow.destinations.size() == 1;
      if (flow.vc == hw::VirtualChannel::control || one_to_one) continue;
      shape_of_[f] = shapes_.add({ports_of(flow.sources), ports_of(flow.destinations)});
    }
  }

  std::uint64_t bits_for(std::size_t sets) const { return std::uint64_t{structure_.route_bits()} * sets; }
  bool fits(std::size_t sets) const {
    return options_.route_memory.is_unlimited() || bits_for(sets) <= options_.route_memory.bytes() * 8;
  }

  [[noreturn]] void refuse(std::size_t sets) const {
    throw hw::InputError(fmt::format(
        "{}: the workload's {} different flows need {} route sets of {} at {} bits each, but "
        "switch.route_memory, {}, "
        "holds {}; {} would do",
        workload_.source, shapes_.size(), sets, sw::to_string(structure_), structure_.route_bits(),
        hw::to_string(options_.route_memory), options_.route_memory.bytes() * 8 / structure_.route_bits(),
        hw::bytes_to_string((bits_for(sets) + 7) / 8)));
  }

  /// Route sets are numbered from 1 in the order in which the flows use them.
  void write(const std::vector<ShapeSet>& sets, const std::vector<std::uint32_t>& set_of,
             sw::SwitchPlan& plan) {
    plan.ports = options_.ports;
    plan.middle = options_.middle;
    plan.route_sets.emplace_back();
    plan.flows.reserve(flows_.size());
    std::vector<std::uint32_t> number(sets.size(), 0);
    for (std::size_t f = 0; f < flows_.size(); ++f) {
      sw::SwitchFlow flow;
      flow.flow = hw::FlowId(static_cast<std::uint32_t>(f));
      flow.vc = flows_[f].vc;
      flow.ports = {ports_of(flows_[f].sources), ports_of(flows_[f].destinations)};
      if (set_of[f] != Batches::none) {
        const ShapeSet& set = sets[set_of[f]];
        std::uint32_t& n = number[set_of[f]];
        if (n == 0) {
          n = static_cast<std::uint32_t>(plan.route_sets.size());
          plan.route_sets.push_back(route_set(set));
        }
        flow.route_set = n;
        flow.index =
            static_cast<std::uint32_t>(std::lower_bound(set.begin(), set.end(), shape_of_[f]) - set.begin());
      }
      plan.flows.push_back(std::move(flow));
    }
  }

  sw::RouteSet route_set(const ShapeSet& shapes) {
    sw::RouteSet set;
    for (const ShapeId s : shapes) set.flows.push_back(shapes_[s]);
    set.routes = routing_.find(shapes).routes;
    return set;
  }

  const hw::Workload& workload_;
  const std::vector<hw::Flow>& flows_;
  const PlanOptions& options_;
  sw::Structure structure_;
  Shapes shapes_;
  RoutingMemory routing_;
  std::vector<std::uint32_t> shape_of_;
};

}  // namespace

RoutedSwitch route_switch(const hw::Workload& workload, const Order& order,
                          const std::vector<hw::Flow>& flows, const PlanOptions& options) {
  return SwitchRouter(workload, flows, options).run(order);
}

}  // namespace fredsim::tb
