#pragma once

#include <string>

#include "hw/core/records.h"

namespace fredsim::tb {

/// Write a trace to a file and say on standard output what it holds; with "-" write the trace to standard
/// output and say so on standard error. Throws InputError when it cannot be written whole.
void write_trace(const hw::Workload& workload, const std::string& path);

}  // namespace fredsim::tb
