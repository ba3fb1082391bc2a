#pragma once

#include <string>

namespace fredsim::hw {

/// Whether GTKWave's converter is there to be called.
bool vcd2fst_installed();

/// Makes the file `fst` of the file `vcd` by the program vcd2fst. Returns what went wrong, or an empty
/// string.
std::string vcd_to_fst(const std::string& vcd, const std::string& fst);

}  // namespace fredsim::hw
