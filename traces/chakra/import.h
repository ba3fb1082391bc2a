#pragma once

#include <string>

#include "hw/core/records.h"

namespace fredsim::trace {

/// Imports the Chakra execution traces `prefix.0.et`, `prefix.1.et`, ... (or .et.gz), one a rank, as one
/// checked workload; rank r is NPU r. What becomes what: docs/03-workload-traces.md. hw::InputError with file
/// and node for what cannot be read or cannot run.
hw::Workload import_chakra(const std::string& prefix);

/// Whether there is any file `prefix.N.et` or `prefix.N.et.gz`.
bool is_chakra_prefix(const std::string& prefix);

}  // namespace fredsim::trace
