#include "accel/collective/algorithm.h"

#include <algorithm>
#include <array>

#include "accel/collective/direct.h"
#include "accel/collective/halving_doubling.h"
#include "accel/collective/hierarchical.h"
#include "accel/collective/ring.h"
#include "accel/collective/rooted.h"
#include "hw/core/error.h"

namespace fredsim::accel {
namespace {

using hw::OperationType;

constexpr std::array<std::string_view, 6> names = {
    "ring", "bidirectional-ring", "hierarchical-ring", "hierarchical-2d", "direct", "halving-doubling"};

void check_groups(const CollectiveRequest& request) {
  std::vector<std::uint32_t> all;
  for (const Ranks& group : request.groups) {
    if (group.size() != request.groups.front().size())
      throw hw::InternalError("the groups of a hierarchical collective differ in size");
    all.insert(all.end(), group.begin(), group.end());
  }
  std::sort(all.begin(), all.end());
  for (std::uint32_t r = 0; r < request.ranks; ++r) {
    if (all.size() != request.ranks || all[r] != r)
      throw hw::InternalError("the groups of a hierarchical collective do not hold every rank once");
  }
}

class Maker {
 public:
  explicit Maker(const CollectiveRequest& request) : request_(request), ring_(request.ring) {
    for (std::uint32_t r = 0; request.ring.empty() && r < request.ranks; ++r) ring_.push_back(r);
    if (is_hierarchical(request.algorithm)) check_groups(request);
  }

  Steps run() {
    if (request_.ranks < 2) return {};
    // Two concurrent halves of every chunk where directions or dimensions are to be used both at once.
    const bool two = request_.algorithm == Algorithm::bidirectional_ring ||
                     request_.algorithm == Algorithm::hierarchical_2d;
    const std::uint32_t halves = two ? 2 : 1;
    for (std::uint32_t p = 0; p < halves * request_.chunks; ++p) {
      piece_ = p;
      pieces_ = halves * request_.chunks;
      chunk_ = p / halves;
      second_ = p % halves == 1;
      if (second_) turn_round();
      add_piece();
      if (second_) turn_round();
    }
    return std::move(steps_);
  }

 private:
  /// The second half goes the other way round, or by the other dimension first.
  void turn_round() {
    if (request_.algorithm == Algorithm::bidirectional_ring) std::reverse(ring_.begin(), ring_.end());
    if (request_.algorithm == Algorithm::hierarchical_2d) request_.groups = transposed(request_.groups);
  }

  void add_piece() {
    switch (request_.type) {
      case OperationType::all_reduce:
        return all_reduce();
      case OperationType::reduce_scatter:
        return reduce_scatter(shards());
      case OperationType::all_gather:
        return all_gather(shards());
      case OperationType::broadcast:
        return broadcast();
      case OperationType::reduce: {
        const std::size_t begin = steps_.size();
        broadcast();
        return mirror(steps_, begin, true);
      }
      default:
        throw hw::InternalError("no steps are made for a collective of this type");
    }
  }

  /// This piece of every rank's shard.
  std::vector<Ranges> shards() const {
    std::vector<Ranges> blocks;
    for (std::uint32_t r = 0; r < request_.ranks; ++r) {
      const hw::Range shard = hw::shard(request_.elements, request_.ranks, r);
      const hw::Range part = hw::shard(shard.size(), pieces_, piece_);
      blocks.push_back({{shard.begin + part.begin, shard.begin + part.end}});
    }
    return blocks;
  }

  /// This piece of the data, a block for each rank; those of ranks that are at one place of their groups are
  /// neighbours, so that a ring within a group sends few long messages.
  std::vector<Ranges> blocks() const {
    Ranks order = ring_;
    if (is_hierarchical(request_.algorithm)) {
      order.clear();
      for (const Ranks& across : transposed(request_.groups))
        order.insert(order.end(), across.begin(), across.end());
    }
    const hw::Range all = hw::shard(request_.elements, pieces_, piece_);
    std::vector<Ranges> result(request_.ranks);
    for (std::size_t i = 0; i < order.size(); ++i) {
      const hw::Range part = hw::shard(all.size(), order.size(), i);
      result[order[i]] = {{all.begin + part.begin, all.begin + part.end}};
    }
    return result;
  }

  std::vector<Ranges> round_the_ring(const std::vector<Ranges>& of_rank) const {
    std::vector<Ranges> of_place;
    for (const std::uint32_t rank : ring_) of_place.push_back(of_rank[rank]);
    return of_place;
  }

  void all_reduce() {
    if (request_.algorithm == Algorithm::halving_doubling)
      return halving_doubling_all_reduce(blocks(), chunk_, steps_);
    const std::vector<Ranges> own = blocks();
    reduce_scatter(own);
    all_gather(own);
  }

  void reduce_scatter(const std::vector<Ranges>& own) {
    switch (request_.algorithm) {
      case Algorithm::ring:
      case Algorithm::bidirectional_ring:
        return ring_reduce_scatter(ring_, round_the_ring(own), chunk_, steps_);
      case Algorithm::hierarchical_ring:
      case Algorithm::hierarchical_2d:
        return hierarchical_reduce_scatter(request_.groups, own, chunk_, steps_);
      case Algorithm::direct:
        return direct_reduce_scatter(own, chunk_, steps_);
      case Algorithm::halving_doubling:
        return halving_reduce_scatter(own, chunk_, steps_);
    }
  }

  void all_gather(const std::vector<Ranges>& own) {
    switch (request_.algorithm) {
      case Algorithm::ring:
      case Algorithm::bidirectional_ring:
        return ring_all_gather(ring_, round_the_ring(own), chunk_, steps_);
      case Algorithm::hierarchical_ring:
      case Algorithm::hierarchical_2d:
        return hierarchical_all_gather(request_.groups, own, chunk_, steps_);
      case Algorithm::direct:
        return direct_all_gather(own, chunk_, steps_);
      case Algorithm::halving_doubling:
        return doubling_all_gather(own, chunk_, steps_);
    }
  }

  void broadcast() {
    const hw::Range all = hw::shard(request_.elements, pieces_, piece_);
    switch (request_.algorithm) {
      case Algorithm::ring:
      case Algorithm::bidirectional_ring:
        return chain_broadcast(starting_at(ring_, request_.root), all, chunk_, steps_);
      case Algorithm::hierarchical_ring:
      case Algorithm::hierarchical_2d:
        return hierarchical_broadcast(request_.groups, request_.root, all, chunk_, steps_);
      case Algorithm::direct:
        return direct_broadcast(request_.ranks, request_.root, all, chunk_, steps_);
      case Algorithm::halving_doubling:
        return binomial_broadcast(request_.ranks, request_.root, all, chunk_, steps_);
    }
  }

  CollectiveRequest request_;
  Ranks ring_;
  std::uint32_t piece_ = 0;
  std::uint32_t pieces_ = 1;
  std::uint32_t chunk_ = 0;
  bool second_ = false;
  Steps steps_;
};

}  // namespace

std::string_view to_string(Algorithm algorithm) {
  return names.at(static_cast<std::size_t>(algorithm));
}

std::optional<Algorithm> parse_algorithm(std::string_view name) {
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (names[i] == name) return static_cast<Algorithm>(i);
  }
  return std::nullopt;
}

Steps make_steps(const CollectiveRequest& request) {
  return Maker(request).run();
}

Ends ends_of(const CollectiveRequest& request, std::uint32_t rank) {
  const hw::Range all{0, request.elements};
  const hw::Range shard = hw::shard(request.elements, request.ranks, rank);
  switch (request.type) {
    case OperationType::all_reduce:
      return {all, all};
    case OperationType::reduce_scatter:
      return {all, shard};
    case OperationType::all_gather:
      return {shard, all};
    case OperationType::broadcast:
      return rank == request.root ? Ends{all, {}} : Ends{{}, all};
    case OperationType::reduce:
      return rank == request.root ? Ends{all, all} : Ends{all, {}};
    case OperationType::barrier:
      return {};
    default:
      throw hw::InternalError("no steps are made for a collective of this type");
  }
}

}  // namespace fredsim::accel
