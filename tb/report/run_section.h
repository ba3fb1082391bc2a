#pragma once

#include <string>

#include "tb/report/files.h"

namespace fredsim::tb::report {

/// The part of a page about one run. `id` is the section's anchor.
std::string run_section(const ResultFile& file, const std::string& id);

/// A row of figures of each run, side by side.
std::string runs_table(const std::vector<ResultFile>& files);

}  // namespace fredsim::tb::report
