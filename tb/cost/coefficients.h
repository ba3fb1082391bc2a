#pragma once

#include <array>
#include <string>

#include "hw/core/dtype.h"
#include "tb/configuration/configuration.h"

namespace fredsim::tb {

/// Areas and energies of parts, from which cost is computed; docs/hardware-cost.md says where the default
/// ones come from. Names as in the YAML file, units in the names.
struct CostCoefficients {
  std::string source;  ///< "default", or the file's path

  double io_gbytes_per_s_per_mm = 0;  ///< of a die's edge, one direction
  double edge_share = 0;              ///< of a die's edge that I/O can use, 0 to 1

  double adder_clock_hz = 0;                   ///< an adder takes one element a cycle
  std::array<double, hw::dtypes> adder_um2{};  ///< by DType
  std::array<double, hw::dtypes> add_pj{};     ///< by DType
  double memory_um2_per_bit = 0;
  double logic_scale = 0;  ///< from the process of the areas above to that of the switches

  double switch_pj_per_bit = 0;      ///< from one port of a switch to another
  double router_pj_per_bit = 0;      ///< of a mesh, likewise
  double wan_router_pj_per_bit = 0;  ///< entering a router of the WAN
  double wan_line_pj_per_bit = 0;    ///< crossing a line of the WAN
  double aggregator_pj_per_bit = 0;  ///< entering an aggregator, adding included
};

/// The YAML text of the default ones.
const char* default_cost_text();

/// Reads YAML; what it leaves out stays at the default. `name` stands for the file in messages. Throws
/// InputError with every problem and its place.
CostCoefficients parse_cost_coefficients(const std::string& text, const std::string& name);
/// Those of a configuration's `cost.coefficients`.
CostCoefficients cost_coefficients(const Configuration& configuration);

}  // namespace fredsim::tb
