#pragma once

#include <string>

namespace fredsim::agg {

/// The text of a file of at most 1 MiB. `what` it should be ("a topology") stands in messages. Throws
/// InputError.
std::string read_small_file(const std::string& path, const std::string& what);

}  // namespace fredsim::agg
