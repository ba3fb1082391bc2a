#pragma once

#include <cstdint>
#include <vector>

#include "fpga_agg/schedule/round.h"
#include "fpga_agg/schedule/topology.h"
#include "hw/core/quantity.h"

namespace fredsim::agg {

/// Shortest paths between the nodes of a topology by latency; of equally long ones that with the fewest
/// links, then that whose last links come from nodes with the lowest numbers. The paths from one node form a
/// tree.
class ShortestPaths {
 public:
  explicit ShortestPaths(const Topology& topology);

  bool reaches(std::uint32_t from, std::uint32_t to) const;
  /// One way, along the path.
  hw::Time latency(std::uint32_t from, std::uint32_t to) const;
  /// The links from `from` to `to`, in order.
  std::vector<std::uint32_t> path(std::uint32_t from, std::uint32_t to) const;
  /// The slowest link between two different nodes, the first of equals.
  std::uint32_t slowest_link(std::uint32_t from, std::uint32_t to) const { return at(from, to).slowest_link; }
  /// The links over which `source` reaches the other members of `clique`, each once however many of them it
  /// leads to; ascending.
  std::vector<std::uint32_t> tree(std::uint32_t source, const Clique& clique) const;

 private:
  static constexpr std::uint32_t none = ~std::uint32_t{0};
  struct Reached {
    std::int64_t latency_fs = 0;
    std::uint32_t last_link = none;  ///< of the path; none at the source and where there is no path
    std::uint32_t slowest_link = none;
  };
  const Reached& at(std::uint32_t from, std::uint32_t to) const { return reached_[from * nodes_ + to]; }

  std::uint32_t nodes_;
  std::vector<WanLink> links_;
  std::vector<Reached> reached_;
};

}  // namespace fredsim::agg
