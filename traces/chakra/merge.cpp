#include "traces/chakra/merge.h"

#include <fmt/format.h>

#include <algorithm>
#include <boost/graph/compressed_sparse_row_graph.hpp>
#include <boost/graph/strong_components.hpp>
#include <boost/property_map/property_map.hpp>
#include <functional>
#include <limits>
#include <map>
#include <queue>
#include <utility>

#include "traces/chakra/collectives.h"

namespace fredsim::trace {
namespace {

constexpr std::uint32_t none = std::numeric_limits<std::uint32_t>::max();

/// Operations of all ranks while they are put together; an index here is not yet a place in the trace.
class Merger {
 public:
  Merger(const std::vector<RankTrace>& ranks, const std::string& source) : ranks_(ranks) {
    workload_.npus = static_cast<std::uint32_t>(ranks.size());
    workload_.source = source;
    workload_.name = source.substr(source.find_last_of('/') + 1);
  }

  hw::Workload run() {
    make_operations();
    depend();
    bind_opposite_orders();
    emit();
    return std::move(workload_);
  }

 private:
  /// A member's dependencies: those of one rank's node.
  struct Merged {
    hw::Operation operation;
    std::map<std::uint32_t, std::vector<std::uint32_t>> deps;  ///< by rank
  };

  static bool is_work(const ChakraNode& node) {
    // Metadata that depends on something is kept as a joint for what depends on it.
    return node.kind != ChakraNode::Kind::metadata || !node.deps.empty();
  }

  void make_operations() {
    std::vector<MatchedCollective> collectives = match_collectives(ranks_);
    std::vector<std::vector<std::uint32_t>> collective_of(ranks_.size());
    operation_of_.resize(ranks_.size());
    for (std::uint32_t rank = 0; rank < ranks_.size(); ++rank) {
      collective_of[rank].assign(ranks_[rank].nodes.size(), none);
      operation_of_[rank].assign(ranks_[rank].nodes.size(), none);
      order_.push_back(own_order(ranks_[rank]));
    }
    for (std::uint32_t c = 0; c < collectives.size(); ++c) {
      const MatchedCollective& collective = collectives[c];
      for (std::size_t i = 0; i < collective.nodes.size(); ++i) {
        collective_of[collective.operation.npus[i].value][collective.nodes[i]] = c;
      }
    }

    // Numbered as they come, all ranks abreast, so that the trace reads in the order of time.
    std::vector<std::uint32_t> made(collectives.size(), none);
    std::size_t longest = 0;
    for (const auto& order : order_) longest = std::max(longest, order.size());
    for (std::size_t position = 0; position < longest; ++position) {
      for (std::uint32_t rank = 0; rank < ranks_.size(); ++rank) {
        if (position >= order_[rank].size()) continue;
        const std::uint32_t n = order_[rank][position];
        const ChakraNode& node = ranks_[rank].nodes[n];
        if (!is_work(node)) continue;
        const auto next = static_cast<std::uint32_t>(merged_.size());
        const std::uint32_t c = collective_of[rank][n];
        if (c == none) {
          merged_.push_back({single(rank, node), {}});
          operation_of_[rank][n] = next;
        } else {
          if (made[c] == none) {
            made[c] = next;
            merged_.push_back({std::move(collectives[c].operation), {}});
          }
          operation_of_[rank][n] = made[c];
        }
      }
    }
  }

  /// What a rank's file says of order: dependencies first, then the order of the file. (Nodes in a cycle,
  /// which the check refuses later, come last.)
  static std::vector<std::uint32_t> own_order(const RankTrace& trace) {
    const auto count = static_cast<std::uint32_t>(trace.nodes.size());
    std::vector<std::uint32_t> waits(count);
    std::vector<std::vector<std::uint32_t>> followers(count);
    std::priority_queue<std::uint32_t, std::vector<std::uint32_t>, std::greater<>> ready;
    for (std::uint32_t n = 0; n < count; ++n) {
      waits[n] = static_cast<std::uint32_t>(trace.nodes[n].deps.size());
      for (const std::uint32_t dep : trace.nodes[n].deps) followers[dep].push_back(n);
      if (waits[n] == 0) ready.push(n);
    }
    std::vector<std::uint32_t> order;
    while (!ready.empty()) {
      order.push_back(ready.top());
      ready.pop();
      for (const std::uint32_t follower : followers[order.back()]) {
        if (--waits[follower] == 0) ready.push(follower);
      }
    }
    for (std::uint32_t n = 0; n < count; ++n) {
      if (waits[n] != 0) order.push_back(n);
    }
    return order;
  }

  static hw::Operation single(std::uint32_t rank, const ChakraNode& node) {
    using Kind = ChakraNode::Kind;
    hw::Operation operation;
    operation.id = fmt::format("npu{}.{}{}{}", rank, node.id, node.name.empty() ? "" : ".", node.name);
    operation.npus = {hw::NpuId(rank)};
    if (node.kind == Kind::send || node.kind == Kind::receive) {
      operation.type = node.kind == Kind::send ? hw::OperationType::send : hw::OperationType::recv;
      operation.peer = hw::NpuId(node.peer);
      operation.tag = node.tag;
      operation.bytes = node.bytes;
    } else {
      operation.duration = node.duration;
      operation.flops = node.flops;
    }
    return operation;
  }

  void depend() {
    for (std::uint32_t rank = 0; rank < ranks_.size(); ++rank) {
      const auto& nodes = ranks_[rank].nodes;
      for (std::uint32_t n = 0; n < nodes.size(); ++n) {
        for (const std::uint32_t dep : nodes[n].deps) {
          if (operation_of_[rank][dep] != none) {
            merged_[operation_of_[rank][n]].deps[rank].push_back(operation_of_[rank][dep]);
          }
        }
      }
    }
  }

  /// A rank issues its collectives in its own order. Where all ranks agree on one order, the place in the
  /// trace says it. Collectives that ranks issue in opposite orders would lose theirs, so each rank's is
  /// bound by dependencies: what hangs on the machine has to hang here.
  void bind_opposite_orders() {
    std::vector<std::vector<std::uint32_t>> issued(ranks_.size());
    std::vector<std::pair<std::size_t, std::size_t>> edges;
    for (std::uint32_t rank = 0; rank < ranks_.size(); ++rank) {
      for (const std::uint32_t n : order_[rank]) {
        if (ranks_[rank].nodes[n].kind != ChakraNode::Kind::collective) continue;
        if (!issued[rank].empty()) edges.emplace_back(issued[rank].back(), operation_of_[rank][n]);
        issued[rank].push_back(operation_of_[rank][n]);
      }
    }
    if (edges.empty()) return;
    const boost::compressed_sparse_row_graph<boost::directedS> graph(
        boost::edges_are_unsorted_multi_pass, edges.begin(), edges.end(), merged_.size());
    std::vector<std::size_t> knot(merged_.size());
    const std::size_t knots = boost::strong_components(
        graph, boost::make_iterator_property_map(knot.begin(), boost::get(boost::vertex_index, graph)));
    if (knots == merged_.size()) return;
    for (std::uint32_t rank = 0; rank < ranks_.size(); ++rank) {
      std::map<std::size_t, std::uint32_t> last;  // by knot
      for (const std::uint32_t operation : issued[rank]) {
        const auto [before, first] = last.emplace(knot[operation], operation);
        if (first) continue;
        merged_[operation].deps[rank].push_back(before->second);
        before->second = operation;
      }
    }
  }

  /// Writes the operations in an order that follows every rank's own, as far as there is one.
  void emit() {
    std::vector<std::size_t> cursor(ranks_.size(), 0);
    std::vector<std::uint32_t> waiting_ranks(merged_.size(), 0);
    std::vector<bool> emitted(merged_.size(), false);
    std::priority_queue<std::uint32_t, std::vector<std::uint32_t>, std::greater<>> ready;
    const auto head = [&](std::uint32_t rank) {
      return cursor[rank] < order_[rank].size() ? operation_of_[rank][order_[rank][cursor[rank]]] : none;
    };
    const auto arrive = [&](std::uint32_t rank) {
      while (cursor[rank] < order_[rank].size() && (head(rank) == none || emitted[head(rank)]))
        ++cursor[rank];
      const std::uint32_t operation = head(rank);
      if (operation != none && ++waiting_ranks[operation] == merged_[operation].operation.npus.size()) {
        ready.push(operation);
      }
    };
    for (std::uint32_t rank = 0; rank < ranks_.size(); ++rank) arrive(rank);
    place_.assign(merged_.size(), none);
    for (std::size_t done = 0; done < merged_.size(); ++done) {
      std::uint32_t next = none;
      if (!ready.empty()) {
        next = ready.top();
        ready.pop();
      } else {
        // Ranks stand before collectives in opposite orders: any place is as good.
        for (std::uint32_t rank = 0; rank < ranks_.size(); ++rank) next = std::min(next, head(rank));
      }
      emitted[next] = true;
      append(next);
      for (const hw::NpuId npu : merged_[next].operation.npus) {
        if (head(npu.value) == next) arrive(npu.value);
      }
    }
    // Dependencies may point forward, so they are named when every operation has its place.
    for (std::size_t m = 0; m < merged_.size(); ++m) {
      for (const auto& [operation, earlier] : references_[m]) {
        workload_.operations[operation].after.emplace_back(place_[earlier]);
      }
    }
    for (hw::Operation& operation : workload_.operations)
      std::sort(operation.after.begin(), operation.after.end());
  }

  /// Appends operation `m`. A dependency that holds at every NPU the two have in common is an `after`. One
  /// that holds at some only goes through a compute of no time at each of those.
  void append(std::uint32_t m) {
    Merged& merged = merged_[m];
    std::map<std::uint32_t, std::vector<std::uint32_t>> ranks_of;  // earlier operation -> ranks
    for (auto& [rank, deps] : merged.deps) {
      std::sort(deps.begin(), deps.end());
      deps.erase(std::unique(deps.begin(), deps.end()), deps.end());
      for (const std::uint32_t earlier : deps) ranks_of[earlier].push_back(rank);
    }
    std::map<std::uint32_t, std::vector<std::uint32_t>> joints;  // rank -> earlier operations
    std::vector<std::uint32_t> everywhere;
    for (const auto& [earlier, ranks] : ranks_of) {
      if (ranks.size() == common(earlier, m)) {
        everywhere.push_back(earlier);
      } else {
        for (const std::uint32_t rank : ranks) joints[rank].push_back(earlier);
      }
    }

    references_.resize(merged_.size());
    const auto next = [&] { return static_cast<std::uint32_t>(workload_.operations.size()); };
    std::vector<hw::OperationId> after;
    for (const auto& [rank, earlier_ones] : joints) {
      hw::Operation joint;
      joint.id = fmt::format("order.{}", joints_++);
      joint.npus = {hw::NpuId(rank)};
      for (const std::uint32_t earlier : earlier_ones) references_[m].emplace_back(next(), earlier);
      after.emplace_back(next());
      workload_.operations.push_back(std::move(joint));
    }
    place_[m] = next();
    for (const std::uint32_t earlier : everywhere) references_[m].emplace_back(next(), earlier);
    hw::Operation operation = merged.operation;
    operation.after = std::move(after);
    workload_.operations.push_back(std::move(operation));
  }

  std::size_t common(std::uint32_t a, std::uint32_t b) {
    const hw::Group& members = merged_[b].operation.npus;
    if (member_of_.empty()) member_of_.assign(ranks_.size(), none);
    for (const hw::NpuId npu : members) member_of_[npu.value] = b;
    const hw::Group& others = merged_[a].operation.npus;
    return static_cast<std::size_t>(std::count_if(others.begin(), others.end(),
                                                  [&](hw::NpuId npu) { return member_of_[npu.value] == b; }));
  }

  const std::vector<RankTrace>& ranks_;
  hw::Workload workload_;
  std::vector<std::vector<std::uint32_t>> order_;         ///< by rank: nodes in the rank's own order
  std::vector<std::vector<std::uint32_t>> operation_of_;  ///< by rank and node; `none` for metadata
  std::vector<Merged> merged_;
  std::vector<std::uint32_t> member_of_;  ///< by NPU: the last operation it was marked for
  std::vector<std::uint32_t> place_;      ///< of merged operations in the workload
  std::vector<std::vector<std::pair<std::uint32_t, std::uint32_t>>>
      references_;  ///< (operation, earlier merged one)
  std::uint64_t joints_ = 0;
};

}  // namespace

hw::Workload merge(const std::vector<RankTrace>& ranks, const std::string& source) {
  return Merger(ranks, source).run();
}

}  // namespace fredsim::trace
