#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "hw/core/records.h"
#include "tb/plan/plan.h"

namespace fredsim::tb {

/// What `fredsim trace check --config` and the search for a placement ask about the system of a configuration
/// file.
struct ConfiguredSystem {
  std::uint32_t npus = 0;
  std::function<void(const hw::Workload&)> plan;  ///< throws hw::InputError for a workload it cannot run
  PlanOptions options = {};
};

/// hw::InputError if the file is no good. Defined where configurations are read.
ConfiguredSystem configured_system(const std::string& path);

}  // namespace fredsim::tb
