#pragma once

#include <string>
#include <vector>

#include "tb/configuration/configuration.h"

namespace fredsim::tb {

/// The name of the link from one module to another, as results, scripts of faults and waveforms have it.
std::string link_name(const std::string& from, const std::string& to);

/// The names of all links of a system, both directions.
std::vector<std::string> link_names(const Configuration& configuration);

}  // namespace fredsim::tb
