#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace fredsim::accel {

/// Sizes of the dimensions of 3D parallelism. Worker m + MP (p + PP d) is the m-th MP peer of stage p of
/// replica d.
struct Strategy {
  std::uint32_t mp = 1, pp = 1, dp = 1;
  std::uint32_t workers() const { return mp * pp * dp; }
};

/// By worker: the NPU it is on.
using Placement = std::vector<std::uint32_t>;

/// "mp-pp-dp", "mp-dp-pp", ...: the dimension on consecutive NPUs first. The first is that of FRED sec. 5.3.
const std::vector<std::string>& placement_orders();
/// Throws hw::InternalError for an order that is none of them.
Placement place_in_order(const Strategy& strategy, std::string_view order);

/// The groups of peers of a placement: for each class (MP, PP, DP) every group of two members or more, by
/// NPU, in the order of their ranks.
std::vector<std::vector<std::vector<std::uint32_t>>> groups_of(const Strategy& strategy,
                                                               const Placement& placement);

/// A placement on `npus` NPUs of as little cost as a search finds: steepest descent over exchanges of two
/// places, from each of the orders and from `restarts` random placements. The same seed finds the same.
Placement search_placement(const Strategy& strategy, std::uint32_t npus,
                           const std::function<double(const Placement&)>& cost, std::uint64_t seed = 1,
                           std::uint32_t restarts = 4);

}  // namespace fredsim::accel
