#pragma once

#include "tb/configuration/configuration.h"
#include "tb/plan/plan.h"

namespace fredsim::tb {

/// What the plan needs to know of a configuration.
PlanOptions plan_options(const Configuration& configuration);

/// NPUs of the system of a configuration.
inline std::uint32_t npu_count(const Configuration& configuration) {
  return configuration.sw.ports;
}

}  // namespace fredsim::tb
