#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "switch/fabric/tree.h"
#include "tb/tests/system/simulate.h"

namespace fredsim::tb::test {

/// The texts of the configurations of these names: the paper's wafers, and 1024 NPUs on three levels.
std::string fred_b();
std::string fred_d();
std::string tree_1024();
std::string configuration_text(const sw::TreeShape& shape);

/// The wafer's shape.
sw::TreeShape wafer();
/// 24 NPUs on three levels, with planes at both steps: 2 switches of level 2 for each 12 of them, and 4
/// roots.
sw::TreeShape three_levels();
/// A tree of so many levels (2 and up), 8 to 24 NPUs and at most 40 switches.
sw::TreeShape random_tree(Random& random, std::uint32_t levels);

}  // namespace fredsim::tb::test
