#pragma once

#include <string>

namespace fredsim::tb::report {

/// The part of a page about the sweep whose database is at `path`. Throws InputError for another database.
std::string sweep_section(const std::string& path, const std::string& id);

}  // namespace fredsim::tb::report
