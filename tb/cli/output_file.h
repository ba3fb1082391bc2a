#pragma once

#include <fstream>
#include <nlohmann/json.hpp>
#include <string>

namespace fredsim::tb {

/// A file that a command writes its answer to; "-" is standard output. Opened before anything is computed, so
/// that a mistyped path is noticed at once; as long as there is no answer, an older file stays as it is and a
/// new one is not left behind. Throws InputError, naming the option, when it cannot be opened or written.
class OutputFile {
 public:
  OutputFile(std::string option, std::string path);
  ~OutputFile();
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;

  void write(const std::string& text);
  /// Indented, with a newline at the end. Text that is not UTF-8 (names come from users) is replaced, not
  /// refused.
  void write(const nlohmann::ordered_json& json);

 private:
  std::string option_;
  std::string path_;
  std::ofstream file_;
  bool created_ = false;
  bool written_ = false;
};

}  // namespace fredsim::tb
