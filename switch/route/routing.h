#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "hw/core/ids.h"

namespace fredsim::sw {

/// A flow as one switch sees it (FRED sec. 5.1): what enters at `inputs` is reduced and copied to `outputs`.
struct PortFlow {
  std::vector<hw::PortId> inputs;   ///< ascending, at least one
  std::vector<hw::PortId> outputs;  ///< ascending, at least one
  friend bool operator==(const PortFlow& a, const PortFlow& b) {
    return a.inputs == b.inputs && a.outputs == b.outputs;
  }
  friend bool operator<(const PortFlow& a, const PortFlow& b) {
    return a.inputs != b.inputs ? a.inputs < b.inputs : a.outputs < b.outputs;
  }
};

/// "0,2>0,2", as a user writes it.
std::string to_string(const PortFlow&);

/// The middle switch ("color") a flow takes at each level of the recursion, outermost first.
struct Route {
  std::vector<std::uint8_t> colors;
};

}  // namespace fredsim::sw
