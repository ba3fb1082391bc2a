#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "hw/core/dtype.h"
#include "hw/core/quantity.h"
#include "tb/cost/switch_cost.h"

namespace fredsim::tb {

/// What a run's traffic has moved and added.
struct Work {
  std::uint64_t switch_bytes = 0;  ///< that entered FRED switches, headers and control packets included
  std::uint64_t router_bytes = 0;  ///< routers of a mesh
  hw::AddCounts switch_adds{};
  hw::AddCounts npu_adds{};
  std::uint64_t wan_router_bytes = 0;
  std::uint64_t wan_line_bytes = 0;
  std::uint64_t aggregator_bytes = 0;
};

/// One kind of thing that takes energy.
struct EnergyPart {
  std::string what;         ///< "switch_bits", "switch_adds_fp16"
  std::uint64_t count = 0;  ///< bits or elements
  double pj_each = 0;

  double joules() const { return static_cast<double>(count) * pj_each * 1e-12; }
};

/// What a run has cost: the hardware it ran on, and the energy of its traffic.
struct RunCost {
  std::string coefficients;  ///< "default", or the file
  FabricCost fabric;
  std::vector<EnergyPart> energy;  ///< kinds that did not occur left out
};

RunCost run_cost(const Configuration& configuration, const CostCoefficients& coefficients, const Work& work);

/// What of the coefficients a run on the system of a configuration uses, in pJ: a bit moved, an element
/// added.
nlohmann::ordered_json energies_json(const Configuration& configuration,
                                     const CostCoefficients& coefficients);

/// The key `cost` of the result file, docs/05-results.md. `simulated` is the time of the run.
nlohmann::ordered_json to_json(const RunCost& cost, hw::Time simulated);

}  // namespace fredsim::tb
