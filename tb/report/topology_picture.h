#pragma once

#include <string>

#include "tb/report/html.h"

namespace fredsim::tb::report {

/// The modules of a result's system and its links, each direction coloured by its utilization. Empty for a
/// system too large to draw. `left_out` says what is not drawn, if anything.
std::string topology_picture(const Json& result, std::string& left_out);

}  // namespace fredsim::tb::report
