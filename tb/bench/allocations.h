#pragma once

#include <cstdint>

namespace fredsim::tb::bench {

/// How often this process has called operator new so far: this program counts every call.
std::uint64_t allocations();

}  // namespace fredsim::tb::bench
