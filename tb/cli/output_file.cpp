#include "tb/cli/output_file.h"

#include <cerrno>
#include <cstring>
#include <iostream>

#include <fmt/format.h>

#include "hw/core/error.h"

namespace fredsim::tb {

OutputFile::OutputFile(std::string option, std::string path) : option_(std::move(option)), path_(std::move(path)) {
  if (path_ == "-") return;
  file_.open(path_);
  if (!file_) {
    throw hw::InputError(fmt::format("{} {}: cannot be opened for writing: {}", option_, path_, std::strerror(errno)));
  }
}

void OutputFile::write(const std::string& text) {
  std::ostream& stream = path_ == "-" ? std::cout : static_cast<std::ostream&>(file_);
  stream << text << std::flush;
  if (!stream) throw hw::InputError(fmt::format("{} {}: cannot be written: {}", option_, path_, std::strerror(errno)));
}

void OutputFile::write(const nlohmann::ordered_json& json) {
  write(json.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n");
}

}  // namespace fredsim::tb
