#pragma once

#include <string>
#include <vector>

#include "hw/link/link.h"
#include "switch/fabric/tree.h"
#include "tb/systems/system.h"

namespace fredsim::tb {

/// The two links, one each way, between a module and the switch above it.
struct LinkPair {
  std::string below;  ///< module name
  std::string above;
  std::string link_class;  ///< "npu", "io", "l2", ...: as the configuration's keys name it
  hw::LinkConfig config;   ///< of either direction
};

/// All links of an elaborated system, in the order in which they were made. Throws InternalError where the
/// two directions differ or one is missing.
std::vector<LinkPair> link_pairs(const System& system, const sw::Tree& tree);

}  // namespace fredsim::tb
