#pragma once

#include <string>

namespace fredsim::tb::test {

/// Writes the database of a sweep as docs/sweep-database.md describes it: `buffer.dp` from 4 to 32 KiB, eight
/// points. Point n takes 800 / min(n, 6) ns, so the knee is where the curve bends most.
void write_sweep(const std::string& path);

}  // namespace fredsim::tb::test
