#pragma once

#include <cstdint>

namespace fredsim::tb {

/// What becomes of flows that can be in flight together, share no port and still cannot be routed together
/// (FRED sec. 5.3): refuse the workload, let them take turns in several route sets, or leave the smaller
/// groups to their members.
enum class ConflictPolicy : std::uint8_t { fail, block, decompose };

}  // namespace fredsim::tb
