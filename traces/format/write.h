#pragma once

#include <iosfwd>
#include <string>

#include "hw/core/records.h"

namespace fredsim::trace {

/// Writes a trace that reads back equal (but for `source` and `line`): one operation a line, keys in a fixed
/// order, defaults left out. The first line counts the operations, so that a file that lost its end is
/// noticed.
void write(const hw::Workload& workload, std::ostream& out);

/// To a file; hw::InputError if it cannot be written whole.
void write(const hw::Workload& workload, const std::string& path);

}  // namespace fredsim::trace
