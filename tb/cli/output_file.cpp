#include "tb/cli/output_file.h"

#include <fmt/format.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <iostream>

#include "hw/core/error.h"

namespace fredsim::tb {

OutputFile::OutputFile(std::string option, std::string path)
    : option_(std::move(option)), path_(std::move(path)) {
  if (path_ == "-") return;
  std::error_code ignored;
  created_ = !std::filesystem::exists(path_, ignored);
  file_.open(path_, std::ios::binary | std::ios::app);
  if (!file_) {
    throw hw::InputError(
        fmt::format("{} {}: cannot be opened for writing: {}", option_, path_, std::strerror(errno)));
  }
}

OutputFile::~OutputFile() {
  if (path_ == "-" || written_ || !created_) return;
  file_.close();
  std::error_code ignored;
  std::filesystem::remove(path_, ignored);
}

void OutputFile::write(const std::string& text) {
  if (path_ == "-") {
    std::cout << text << std::flush;
    if (!std::cout) throw hw::InputError(fmt::format("{} -: cannot be written", option_));
    return;
  }
  file_.close();
  file_.open(path_, std::ios::binary | std::ios::trunc);
  file_ << text << std::flush;
  written_ = true;
  if (!file_)
    throw hw::InputError(fmt::format("{} {}: cannot be written: {}", option_, path_, std::strerror(errno)));
}

void OutputFile::write(const nlohmann::ordered_json& json) {
  write(json.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n");
}

}  // namespace fredsim::tb
