#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "hw/core/dtype.h"
#include "tb/cost/coefficients.h"

namespace fredsim::tb {

/// What a switch of one level is made of, and what that costs.
struct SwitchCost {
  std::uint32_t level = 1;
  std::uint64_t switches = 0;  ///< of the level; all else is of one of them
  std::uint64_t r = 0, d = 0, rd = 0;
  std::uint64_t plain = 0;  ///< demuxes and muxes, which neither reduce nor copy
  std::uint64_t alus = 0;   ///< of R- and RD-micro-switches
  hw::AddCounts adders{};   ///< by format, of all ALUs: as many as keep up with a path's bandwidth
  std::optional<std::uint64_t> buffer_bits;  ///< of all input ports; nothing with unlimited buffers
  std::uint64_t staging_bits = 0;            ///< of all output ports
  std::uint64_t route_bits = 0;              ///< of the route memory
  double io_bytes_per_s = 0;                 ///< of all ports, one direction
  double edge_mm = 0;                        ///< of the die that I/O takes
  std::optional<double> logic_mm2;           ///< adders and memories; nothing with unlimited buffers
  std::optional<double> area_mm2;            ///< of the die: as the edge needs, or the logic
  double peak_w = 0;  ///< all ports streaming, all but one stream of them being added to another
};

/// What the switches of a fabric cost together.
struct FabricCost {
  std::vector<SwitchCost> levels;
  std::optional<double> logic_mm2;
  std::optional<double> area_mm2;
  double peak_w = 0;
};

/// Of the FRED switches of a tree or of a single one, from the structures and ports that they are built with.
/// No levels for a mesh or a WAN, which have none.
FabricCost fabric_cost(const Configuration& configuration, const CostCoefficients& coefficients);

/// A row a level, and one of all switches together: keys as docs/hardware-cost.md has them.
nlohmann::ordered_json to_json(const FabricCost& cost);

}  // namespace fredsim::tb
