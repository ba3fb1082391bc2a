#pragma once

#include <string>

#include "switch/route/routing.h"
#include "switch/route/structure.h"

namespace fredsim::tb {

/// Read a flow as a user writes it, "IPs>OPs": ports and ranges of ports joined by commas on both sides,
/// "0,2>0-3". Ports come out ascending. Throws hw::InputError with the text and what is wrong with it: no
/// ">", an empty side, something that is no port, a port that the switch does not have, a range that runs
/// backwards.
sw::PortFlow parse_port_flow(const std::string& text, const sw::Structure&);

}  // namespace fredsim::tb
