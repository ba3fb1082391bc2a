#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "accel/collective/algorithm.h"

namespace fredsim::tb {

/// Who carries out a collective, and how.
enum class AlgorithmChoice : std::uint8_t {
  automatic,   ///< the network where it can
  in_network,  ///< the network reduces and copies
  ring,        ///< and so on: accel::Algorithm, in its order
  bidirectional_ring,
  hierarchical_ring,
  hierarchical_2d,
  direct,
  halving_doubling,
};

/// "auto", "in-network", "ring", ...: in the order of the enumeration.
const std::vector<std::string>& algorithm_choice_names();
std::optional<AlgorithmChoice> parse_algorithm_choice(std::string_view name);
/// The endpoint algorithm chosen; none for `automatic` and `in_network`.
std::optional<accel::Algorithm> endpoint_algorithm(AlgorithmChoice choice);

}  // namespace fredsim::tb
