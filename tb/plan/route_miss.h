#pragma once

#include <cstdint>

namespace fredsim::tb {

/// What becomes of a workload that needs more route sets at a switch than its route memory holds: refuse it,
/// or load a set that is not there when the switch is to serve it.
enum class RouteMiss : std::uint8_t { fail, reload };

}  // namespace fredsim::tb
