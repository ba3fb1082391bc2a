#pragma once

#include <cstdint>

namespace fredsim::tb::test {

/// Runs random jobs under the random pressure of so many seeds, monitors on, and expects that all end with
/// right data and the traffic that they have without pressure.
void run_under_pressure(std::uint64_t seed, int runs);

}  // namespace fredsim::tb::test
