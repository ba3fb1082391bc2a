#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "tb/tests/system/simulate.h"

namespace fredsim::tb::test {

/// 0, 1, ... count - 1.
std::vector<std::uint32_t> range(std::uint32_t count);

/// Lines of a trace for a mesh, or for the configuration of a tree of so many NPUs.
Replay on_mesh(std::uint32_t columns, std::uint32_t rows, const std::string& lines);
Replay on_tree(const std::string& configuration, std::uint32_t npus, const std::string& lines);

/// What part of the rate of its link (128 GB/s) every one of the 18 controllers of a wafer gets when all
/// stream 1 MiB each, in one `load` or `store` of all 20 NPUs and nothing else.
double io_rate(Replay replay, const std::string& type);

}  // namespace fredsim::tb::test
