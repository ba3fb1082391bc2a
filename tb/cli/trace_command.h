#pragma once

#include <cstdint>
#include <string>

namespace fredsim::tb {

/// How many NPUs the system of a configuration file has; hw::InputError if the file is no good. `fredsim
/// trace check
/// --config` asks it; it is defined where configurations are read.
std::uint32_t npus_of_configuration(const std::string& path);

}  // namespace fredsim::tb
