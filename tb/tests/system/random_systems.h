#pragma once

#include <cstdint>

namespace fredsim::tb::test {

/// Runs at least `workloads` random workloads of collectives of every kind and size, several groups at once,
/// on random switches and trees in both abstractions, half of them under random pressure, and expects right
/// data, equal results, closed-form traffic and silent monitors; and that every value and every pair of
/// values of collective, size, dtype, group size, class, levels of switches and fault has been tried.
void run_random_systems(std::uint64_t seed, int workloads);

}  // namespace fredsim::tb::test
