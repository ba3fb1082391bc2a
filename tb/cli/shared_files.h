#pragma once

#include <string>
#include <vector>

namespace fredsim::tb {

struct NamedFile {
  std::string name;  ///< "the trace", or of an output its option, "--json"
  std::string path;
};

/// Refuses (InputError) an output that is also an input or another output, by whatever path: writing it would
/// cost the user a file. "-" and devices can be shared.
void refuse_shared_files(std::vector<NamedFile> inputs, const std::vector<NamedFile>& outputs);

/// The trace file at `path`, or the Chakra files of which it is the prefix.
std::vector<NamedFile> trace_files(const std::string& path);

}  // namespace fredsim::tb
