#include "tb/cli/shared_files.h"

#include <fmt/format.h>

#include <filesystem>

#include "hw/core/error.h"

namespace fredsim::tb {
namespace {

namespace fs = std::filesystem;

bool can_be_shared(const std::string& path) {
  std::error_code ignored;
  return path == "-" || (fs::exists(path, ignored) && !fs::is_regular_file(path, ignored));
}

/// Links resolved as far as the path exists and may be read.
fs::path resolved(const std::string& path) {
  std::error_code error;
  const fs::path whole = fs::absolute(path, error).lexically_normal();
  const fs::path canonical = fs::weakly_canonical(whole, error);
  return error ? whole : canonical;
}

bool same_file(const std::string& a, const std::string& b) {
  std::error_code ignored;
  return fs::equivalent(a, b, ignored) || resolved(a) == resolved(b);
}

}  // namespace

void refuse_shared_files(std::vector<NamedFile> inputs, const std::vector<NamedFile>& outputs) {
  for (const NamedFile& output : outputs) {
    if (can_be_shared(output.path)) continue;
    for (const NamedFile& other : inputs) {
      if (!same_file(output.path, other.path)) continue;
      throw hw::InputError(
          fmt::format("{} {}: is also {}; give them different names", output.name, output.path, other.name));
    }
    inputs.push_back({"the file of " + output.name, output.path});
  }
}

std::vector<NamedFile> trace_files(const std::string& path) {
  std::error_code ignored;
  if (fs::exists(path, ignored)) return {{"the trace", path}};
  std::vector<NamedFile> files;
  for (std::size_t rank = 0;; ++rank) {
    const std::string plain = fmt::format("{}.{}.et", path, rank);
    const std::string packed = plain + ".gz";
    if (fs::exists(plain, ignored)) {
      files.push_back({"a file of the trace", plain});
    } else if (fs::exists(packed, ignored)) {
      files.push_back({"a file of the trace", packed});
    } else {
      return files;
    }
  }
}

}  // namespace fredsim::tb
