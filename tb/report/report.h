#pragma once

#include <string>

#include "tb/report/files.h"

namespace fredsim::tb::report {

/// One HTML page, whole in itself, about all results and sweeps of `files`; `folder` is what it is called
/// after.
std::string report_page(const Files& files, const std::string& folder);

}  // namespace fredsim::tb::report
