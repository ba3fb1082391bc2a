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

/// A crossing that has its batch.
struct Placed {
  hw::OperationId operation;
  std::size_t number = 0;  ///< of its operation, see Concurrency
  const ShapeSet* shapes = nullptr;
  Shapes::Mask mask;
  std::uint32_t batch = 0;
};
/// Newest first, all of one class.
using Companions = std::vector<const Placed*>;

/// Flows that may conflict: their shapes, and an operation of each shape.
struct Contenders {
  ShapeSet shapes;
  std::map<ShapeId, hw::OperationId> operations;

  void add(const Placed& placed) {
    for (const ShapeId s : *placed.shapes) {
      shapes = with(std::move(shapes), s);
      operations.emplace(s, placed.operation);
    }
  }
};

std::string list_ports(const std::vector<hw::PortId>& ports) {
  std::string text;
  for (const hw::PortId p : ports) text += fmt::format("{}{}", text.empty() ? "" : ",", p.value);
  return text;
}

class Gathering {
 public:
  Gathering(const hw::Workload& workload, const SwitchTraffic& traffic, RoutingMemory& routing,
            ConflictPolicy policy, const sw::TreeSwitch& node)
      : workload_(workload),
        crossings_(traffic.crossings),
        shapes_(traffic.shapes),
        routing_(routing),
        policy_(policy),
        node_(node) {
    batches_.of_crossing.resize(crossings_.size());
  }

  Batches run(const Concurrency& concurrency) {
    // The crossings of an operation follow each other.
    std::vector<std::pair<std::size_t, std::size_t>> crossings_of(workload_.operations.size());
    for (std::size_t c = 0; c < crossings_.size(); ++c) {
      auto& [begin, end] = crossings_of[crossings_[c].operation.value];
      if (end == 0) begin = c;
      end = c + 1;
    }
    for (std::size_t number = 0; number < concurrency.operations().size(); ++number) {
      const hw::OperationId operation = concurrency.operations()[number];
      const auto [begin, end] = crossings_of[operation.value];
      if (begin == end) continue;
      std::deque<Placed>& placed = placed_[hw::index(workload_.operations[operation.value].traffic_class)];
      Companions companions;
      for (auto p = placed.rbegin(); p != placed.rend(); ++p) {
        if (concurrency.together(p->number, number)) companions.push_back(&*p);
      }
      std::vector<Placed> own;
      own.reserve(end - begin);
      for (std::size_t c = begin; c < end; ++c) {
        own.push_back({operation, number, &crossings_[c].shapes, mask_of(crossings_[c].shapes), 0});
        own.back().batch = batches_.of_crossing[c] = place(own.back(), companions, concurrency);
        companions.insert(companions.begin(), &own.back());
      }
      placed.insert(placed.end(), own.begin(), own.end());
      while (placed.size() > recent) placed.pop_front();
    }
    return std::move(batches_);
  }

 private:
  Shapes::Mask mask_of(const ShapeSet& shapes) const {
    Shapes::Mask mask;
    for (const ShapeId s : shapes) mask |= shapes_.mask(s);
    return mask;
  }

  std::uint32_t place(const Placed& crossing, const Companions& companions, const Concurrency& concurrency) {
    check_conflict(crossing, companions, concurrency);

    std::vector<std::uint32_t> candidates;
    for (const Placed* c : companions) candidates.push_back(c->batch);
    std::sort(candidates.begin(), candidates.end());
    std::vector<std::pair<std::size_t, std::uint32_t>> liked;  // crossings in the batch, batch
    for (const std::uint32_t batch : candidates) {
      if (liked.empty() || liked.back().second != batch) liked.emplace_back(0, batch);
      ++liked.back().first;
    }
    std::stable_sort(liked.begin(), liked.end(), [](auto a, auto b) { return a.first > b.first; });
    for (const auto& [crossings, batch] : liked) {
      if (join(batches_.shapes[batch], *crossing.shapes)) return batch;
    }
    batches_.shapes.push_back(*crossing.shapes);
    return static_cast<std::uint32_t>(batches_.shapes.size() - 1);
  }

  bool join(ShapeSet& set, const ShapeSet& shapes) {
    ShapeSet larger = set;
    for (const ShapeId shape : shapes) {
      if (std::binary_search(set.begin(), set.end(), shape)) continue;
      for (const ShapeId s : set) {
        if (!shapes_.mask(s).disjoint(shapes_.mask(shape))) return false;
      }
      larger = with(std::move(larger), shape);
    }
    if (larger.size() > set.size() && !routing_.routes(larger)) return false;
    set = std::move(larger);
    return true;
  }

  /// Crossings that can all be in flight together with `crossing` and with each other and share no port, the
  /// newest first.
  Contenders contenders(const Placed& crossing, const Companions& companions,
                        const Concurrency& concurrency) const {
    Contenders found;
    found.add(crossing);
    std::vector<std::size_t> numbers;
    Shapes::Mask used = crossing.mask;
    for (const Placed* c : companions) {
      if (!used.disjoint(c->mask)) continue;
      const bool with_all = std::all_of(numbers.begin(), numbers.end(), [&](std::size_t other) {
        return other == c->number ||
               concurrency.together(std::min(other, c->number), std::max(other, c->number));
      });
      if (!with_all) continue;
      used |= c->mask;
      numbers.push_back(c->number);
      found.add(*c);
    }
    return found;
  }

  void check_conflict(const Placed& crossing, const Companions& companions, const Concurrency& concurrency) {
    const Contenders all = contenders(crossing, companions, concurrency);
    if (routing_.routes(all.shapes)) return;
    const auto is_ours = [&](const ShapeSet& shapes) {
      return std::any_of(crossing.shapes->begin(), crossing.shapes->end(),
                         [&](ShapeId s) { return std::binary_search(shapes.begin(), shapes.end(), s); });
    };
    for (auto& [shapes, turns] : known_) {
      if (is_ours(shapes) &&
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
    // Already so without this one, and told when the others were placed.
    if (!is_ours(conflicting)) return;

    std::vector<hw::OperationId> operations;
    for (const ShapeId s : conflicting) operations.push_back(all.operations.at(s));
    std::sort(operations.begin(), operations.end());
    operations.erase(std::unique(operations.begin(), operations.end()), operations.end());
    if (policy_ == ConflictPolicy::fail) refuse(conflicting, operations, answer);
    known_.emplace_back(conflicting, batches_.turns.size());
    batches_.turns.push_back({Turns::Reason::routes, node_.name, operations, 1});
  }

  bool are_npus(std::pair<hw::PortId, hw::PortId> ports) const {
    return node_.level == 1 && ports.second.value < node_.down_ports;
  }

  /// Nothing when what is to move is not only NPUs.
  std::string placement_text(const std::vector<hw::PortId>& placement) const {
    std::string moves;
    for (std::uint32_t p = 0; p < placement.size(); ++p) {
      if (placement[p].value == p) continue;
      if (node_.level != 1 || std::max(p, placement[p].value) >= node_.down_ports) return "";
      moves += fmt::format("{}port {} to {}", moves.empty() ? "" : ", ", p, placement[p].value);
    }
    return moves.empty() ? "" : fmt::format("the NPUs placed anew, that of {}; ", moves);
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
      if (answer.conflict->swap && are_npus(*answer.conflict->swap)) {
        ways_out += fmt::format("the NPUs of ports {} and {} exchanged; ", answer.conflict->swap->first.value,
                                answer.conflict->swap->second.value);
      } else {
        ways_out += placement_text(answer.conflict->placement);
      }
    }
    throw hw::InputError(fmt::format(
        "{}{} can be in flight at the same time, but {} ({}) {}. What helps: {}switch.conflict: block "
        "(they take turns)",
        place_of(workload_, operations.back()), names, node_.name, sw::to_string(routing_.structure()),
        verdict, ways_out));
  }

  const hw::Workload& workload_;
  const std::vector<Crossing>& crossings_;
  const Shapes& shapes_;
  RoutingMemory& routing_;
  ConflictPolicy policy_;
  const sw::TreeSwitch& node_;
  std::array<std::deque<Placed>, hw::traffic_classes> placed_;  ///< the newest `recent` of each class
  std::vector<std::pair<ShapeSet, std::size_t>> known_;  ///< irreducible conflicts, index of their turns
  Batches batches_;
};

}  // namespace

Batches gather_batches(const hw::Workload& workload, const Concurrency& concurrency,
                       const SwitchTraffic& traffic, RoutingMemory& routing, ConflictPolicy policy,
                       const sw::TreeSwitch& node) {
  return Gathering(workload, traffic, routing, policy, node).run(concurrency);
}

}  // namespace fredsim::tb
