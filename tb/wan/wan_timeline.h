#pragma once

#include <string>

#include "tb/wan/wan_result.h"

namespace fredsim::tb {

/// The rounds of each site, as timeline_json() has the operations of each NPU.
std::string timeline_json(const WanResult& result);

}  // namespace fredsim::tb
