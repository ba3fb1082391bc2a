#pragma once

#include <string>
#include <vector>

#include "switch/fabric/tree.h"
#include "tb/cli/system_links.h"
#include "tb/systems/system.h"

namespace fredsim::tb {

/// A Graphviz picture (for `dot`) of an elaborated system: switches level by level with what they are, below
/// the leaves their NPUs and I/O controllers by number, links colored by class with a legend. Where a system
/// is too large to be read, siblings between the first and the last become one box that says how many it
/// stands for.
std::string system_dot(const std::string& title, const System& system, const sw::Tree& tree,
                       const std::vector<LinkPair>& links);

}  // namespace fredsim::tb
