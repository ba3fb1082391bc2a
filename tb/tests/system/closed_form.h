#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>

#include "hw/core/records.h"

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
/// Expects of all links between the switch and its eight NPUs that they have carried what the operations of
/// the workload need, with the default packet format and dtype, and nothing else.
void expect_traffic(const hw::Workload& workload, const nlohmann::json& result);

}  // namespace fredsim::tb::test
