#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "hw/observe/signal.h"

namespace fredsim::hw {

/// The scopes that dotted paths form. Signals and scopes keep the order in which they were announced.
struct Scope {
  std::string name;
  std::vector<std::uint32_t> signals;  ///< indices into the list the tree was made of
  std::vector<std::uint32_t> scopes;   ///< indices into the tree
};

/// Scope 0 is the root and has no name.
using ScopeTree = std::vector<Scope>;

ScopeTree make_scope_tree(const std::vector<const ProbeInfo*>& signals);

/// The part after the last dot.
std::string_view leaf_name(std::string_view path);

}  // namespace fredsim::hw
