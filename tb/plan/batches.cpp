#include "tb/plan/batches.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <deque>
#include <map>
#include <utility>

#include "hw/core/error.h"
#include "tb/plan/collectives.h"
#include "tb/plan/concurrency.h"

namespace fredsim::tb {
namespace {

constexpr std::size_t recent = 512;

/// A flow that has its batch.
struct Placed {
  hw::OperationId operation;
  std::size_t number = 0;  ///< of its operation, see Concurrency
  ShapeId shape = 0;
  std::uint32_t batch = 0;
};
/// Newest first, all of one class.
using Companions = std::vector<const Placed*>;

/// Flows that may conflict: their shapes, and an operation of each shape.
struct Contenders {
  ShapeSet shapes;
  std::map<ShapeId, hw::OperationId> operations;
};

std::string list_ports(const std::vector<hw::PortId>& ports) {
  std::string text;
  for (const hw::PortId p : ports) text += fmt::format("{}{}", text.empty() ? "" : ",", p.value);
  return text;
}

class Gathering {
 public:
  Gathering(const hw::Workload& workload, const std::vector<hw::Flow>& flows,
            const std::vector<std::uint32_t>& shape_of, const Shapes& shapes, RoutingMemory& routing,
            ConflictPolicy policy)
      : workload_(workload),
        flows_(flows),
        shape_of_(shape_of),
        shapes_(shapes),
        routing_(routing),
        policy_(policy) {
    batches_.of_flow.assign(flows.size(), Batches::none);
  }

  Batches run(const Order& order) {
    // The flows of an operation follow each other.
    std::vector<std::pair<std::size_t, std::size_t>> flows_of(workload_.operations.size());
    std::vector<bool> chosen(workload_.operations.size(), false);
    for (std::size_t f = 0; f < flows_.size(); ++f) {
      auto& [begin, end] = flows_of[flows_[f].operation.value];
      if (end == 0) begin = f;
      end = f + 1;
      if (shape_of_[f] != Batches::none) chosen[flows_[f].operation.value] = true;
    }

    const Concurrency concurrency(workload_, order, chosen);
    for (std::size_t number = 0; number < concurrency.operations().size(); ++number) {
      const hw::OperationId operation = concurrency.operations()[number];
      std::deque<Placed>& placed = placed_[hw::index(workload_.operations[operation.value].traffic_class)];
      Companions companions;
      for (auto p = placed.rbegin(); p != placed.rend(); ++p) {
        if (concurrency.together(p->number, number)) companions.push_back(&*p);
      }
      const auto [begin, end] = flows_of[operation.value];
      std::vector<Placed> own;
      own.reserve(end - begin);
      for (std::size_t f = begin; f < end; ++f) {
        if (shape_of_[f] == Batches::none) continue;
        own.push_back({operation, number, shape_of_[f], 0});
        own.back().batch = batches_.of_flow[f] = place(own.back(), companions, concurrency);
        companions.insert(companions.begin(), &own.back());
      }
      placed.insert(placed.end(), own.begin(), own.end());
      while (placed.size() > recent) placed.pop_front();
    }
    return std::move(batches_);
  }

 private:
  std::uint32_t place(const Placed& flow, const Companions& companions, const Concurrency& concurrency) {
    check_conflict(flow, companions, concurrency);

    std::vector<std::uint32_t> candidates;
    for (const Placed* c : companions) candidates.push_back(c->batch);
    std::sort(candidates.begin(), candidates.end());
    std::vector<std::pair<std::size_t, std::uint32_t>> liked;  // flows in the batch, batch
    for (const std::uint32_t batch : candidates) {
      if (liked.empty() || liked.back().second != batch) liked.emplace_back(0, batch);
      ++liked.back().first;
    }
    std::stable_sort(liked.begin(), liked.end(), [](auto a, auto b) { return a.first > b.first; });
    for (const auto& [flows, batch] : liked) {
      if (join(batches_.shapes[batch], flow.shape)) return batch;
    }
    batches_.shapes.push_back({flow.shape});
    return static_cast<std::uint32_t>(batches_.shapes.size() - 1);
  }

  bool join(ShapeSet& set, ShapeId shape) {
    if (std::binary_search(set.begin(), set.end(), shape)) return true;
    for (const ShapeId s : set) {
      if (!shapes_.mask(s).disjoint(shapes_.mask(shape))) return false;
    }
    ShapeSet larger = with(set, shape);
    if (!routing_.routes(larger)) return false;
    set = std::move(larger);
    return true;
  }

  /// Flows that can all be in flight together with `flow` and with each other and share no port, the newest
  /// first.
  Contenders contenders(const Placed& flow, const Companions& companions,
                        const Concurrency& concurrency) const {
    Contenders found;
    found.shapes = {flow.shape};
    found.operations = {{flow.shape, flow.operation}};
    std::vector<std::size_t> numbers;
    Shapes::Mask used = shapes_.mask(flow.shape);
    for (const Placed* c : companions) {
      if (!used.disjoint(shapes_.mask(c->shape))) continue;
      const bool with_all = std::all_of(numbers.begin(), numbers.end(), [&](std::size_t other) {
        return other == c->number ||
               concurrency.together(std::min(other, c->number), std::max(other, c->number));
      });
      if (!with_all) continue;
      used |= shapes_.mask(c->shape);
      numbers.push_back(c->number);
      found.shapes = with(std::move(found.shapes), c->shape);
      found.operations.emplace(c->shape, c->operation);
    }
    return found;
  }

  void check_conflict(const Placed& flow, const Companions& companions, const Concurrency& concurrency) {
    const Contenders all = contenders(flow, companions, concurrency);
    if (routing_.routes(all.shapes)) return;
    for (auto& [shapes, turns] : known_) {
      if (std::binary_search(shapes.begin(), shapes.end(), flow.shape) &&
          std::includes(all.shapes.begin(), all.shapes.end(), shapes.begin(), shapes.end())) {
        ++batches_.turns[turns].times;
        return;
      }
    }
    // Without the search's word on which flows conflict (it gave up), all of them take the blame.
    const sw::RoutingAnswer& answer = routing_.explain(all.shapes);
    ShapeSet conflicting = all.shapes;
    if (answer.conflict) {
      conflicting.clear();
      for (const std::uint32_t i : answer.conflict->flows) conflicting.push_back(all.shapes[i]);
    }
    // Already so without this flow, and told when the others were placed.
    if (!std::binary_search(conflicting.begin(), conflicting.end(), flow.shape)) return;

    std::vector<hw::OperationId> operations;
    for (const ShapeId s : conflicting) operations.push_back(all.operations.at(s));
    std::sort(operations.begin(), operations.end());
    operations.erase(std::unique(operations.begin(), operations.end()), operations.end());
    if (policy_ == ConflictPolicy::fail) refuse(conflicting, operations, answer);
    known_.emplace_back(conflicting, batches_.turns.size());
    batches_.turns.push_back({operations, 1});
  }

  [[noreturn]] void refuse(const ShapeSet& conflicting, const std::vector<hw::OperationId>& operations,
                           const sw::RoutingAnswer& answer) const {
    std::string names, flows, ways_out;
    for (const hw::OperationId o : operations) {
      names += fmt::format("{}\"{}\"", names.empty() ? "" : ", ", workload_.operations[o.value].id);
    }
    for (const ShapeId s : conflicting) {
      flows += fmt::format(" {}>{}", list_ports(shapes_[s].inputs), list_ports(shapes_[s].outputs));
    }
    std::string verdict = fmt::format("cannot route their flows{} together", flows);
    if (!answer.conflict) {
      verdict = fmt::format("found no routing of their flows{} together in {} steps of search", flows,
                            answer.steps);
    } else {
      verdict += fmt::format(" (level {})", answer.conflict->level);
      if (answer.conflict->smallest_middle) {
        ways_out += fmt::format("switch.middle: {}; ", *answer.conflict->smallest_middle);
      }
      if (answer.conflict->swap) {
        ways_out += fmt::format("the NPUs of ports {} and {} exchanged; ", answer.conflict->swap->first.value,
                                answer.conflict->swap->second.value);
      }
    }
    throw hw::InputError(
        fmt::format("{}{} can be in flight at the same time, but {} {}. What helps: {}switch.conflict: block "
                    "(they take turns)",
                    place_of(workload_, operations.back()), names, sw::to_string(routing_.structure()),
                    verdict, ways_out));
  }

  const hw::Workload& workload_;
  const std::vector<hw::Flow>& flows_;
  const std::vector<std::uint32_t>& shape_of_;
  const Shapes& shapes_;
  RoutingMemory& routing_;
  ConflictPolicy policy_;
  std::array<std::deque<Placed>, hw::traffic_classes> placed_;  ///< the newest `recent` of each class
  std::vector<std::pair<ShapeSet, std::size_t>> known_;  ///< irreducible conflicts, index of their turns
  Batches batches_;
};

}  // namespace

Batches gather_batches(const hw::Workload& workload, const Order& order, const std::vector<hw::Flow>& flows,
                       const std::vector<std::uint32_t>& shape_of, const Shapes& shapes,
                       RoutingMemory& routing, ConflictPolicy policy) {
  return Gathering(workload, flows, shape_of, shapes, routing, policy).run(order);
}

}  // namespace fredsim::tb
