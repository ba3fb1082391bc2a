#pragma once

#include <cstdint>
#include <vector>

namespace fredsim::tb::bench {

struct RouteOptions {
  std::vector<std::uint32_t> ports;  ///< sizes P of FRED_3(P)
  std::uint32_t sets = 0;            ///< sets of flows that are routed, of each kind
  std::uint64_t seed = 1;
};

/// Registers the routing of random sets of flows on FRED_3(P): all-reduces of groups that part the ports, and
/// unicasts from every port to another.
void register_routing(const RouteOptions& options);

}  // namespace fredsim::tb::bench
