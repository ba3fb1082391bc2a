#pragma once

#include <cstdint>

namespace fredsim::tb {

/// What becomes of flows that can be in flight together, share no port and still cannot be routed together
/// (FRED sec. 5.3): refuse the workload, or let them take turns in several route sets.
enum class ConflictPolicy : std::uint8_t { fail, block };

}  // namespace fredsim::tb
