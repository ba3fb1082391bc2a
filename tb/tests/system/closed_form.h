#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>

#include "hw/core/records.h"
#include "switch/fabric/tree.h"

namespace fredsim::tb::test {

/// What crosses one link. Formulas of the collectives (FRED table 2) that know nothing of plans.
struct Crossing {
  std::uint64_t bytes = 0, packets = 0, control_packets = 0;

  Crossing& operator+=(const Crossing& other);
};

/// A stream of `bytes` in packets of whole elements, 4096 bytes with a header of 6 each.
Crossing stream(std::uint64_t bytes, std::uint64_t element);

/// Expects that the link of the result has carried this and nothing else.
void expect_link(const nlohmann::json& result, const std::string& name, const Crossing& crossing);

/// Which links of a tree are looked at.
enum class Links : std::uint8_t {
  each,             ///< every one; right for operations that each have all planes and run in file order
  planes_together,  ///< those that lead to the planes of one subtree in sum, whoever has which plane
};
/// Expects of all links of a tree of switches that they have carried what the operations of the workload
/// need, with the default packet format and dtype, and nothing else; those of I/O controllers nothing at all.
void expect_traffic(const hw::Workload& workload, const nlohmann::json& result,
                    const sw::TreeShape& shape = sw::single_switch(8), Links links = Links::each);

/// How long the busiest link needs, in ns, for the operations of a workload that each have all planes.
/// Bandwidths are in GB/s, of links to NPUs and between switches.
double busiest_link_ns(const hw::Workload& workload, const sw::TreeShape& shape, double npu_bandwidth,
                       double plane_bandwidth);

}  // namespace fredsim::tb::test
