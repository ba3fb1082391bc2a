#pragma once

#include <boost/graph/compressed_sparse_row_graph.hpp>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "hw/core/records.h"
#include "traces/format/match.h"

namespace fredsim::trace {

/// One operation at one of its members.
struct OperationAtNpu {
  hw::OperationId operation;
  hw::NpuId npu;
};

/// The order in which the (operation, NPU) pairs of a workload must end: `after` binds pairs of one NPU,
/// `after_all` every pair of the earlier operation to every pair of the later, a send its receive.
/// `after_all` goes through two vertices of its own an operation ("ended everywhere", "may start"), so edges
/// are linear in the trace's length.
class OrderGraph {
 public:
  /// References to operations that do not exist, and an operation's references to itself, are left out.
  /// Members are taken once each, those outside the trace not at all. Keeps a reference to `workload`.
  OrderGraph(const hw::Workload& workload, const Matching& matching);

  /// A way round, each pair waiting for the one before it and the first for the last.
  struct Cycle {
    std::vector<OperationAtNpu> path;
    std::size_t also_at = 0;  ///< cycles of the same operations at other NPUs
  };
  /// A shortest one through the earliest operation of each knot (strongly connected component); none if the
  /// order is sound.
  std::vector<Cycle> cycles() const;

  /// Operations on the longest chain; the order must be sound.
  std::uint64_t depth() const;

 private:
  using Graph = boost::compressed_sparse_row_graph<boost::directedS>;

  bool is_pair(std::size_t vertex) const { return vertex < pairs_.size(); }
  std::vector<OperationAtNpu> shortest_cycle(std::size_t start, const std::vector<std::size_t>& component,
                                             std::vector<std::size_t>& previous) const;

  std::vector<OperationAtNpu> pairs_;  ///< by vertex; vertices beyond are those of after_all
  Graph graph_;
};

}  // namespace fredsim::trace
