#pragma once

#include <cstdint>
#include <fstream>
#include <map>
#include <string>
#include <vector>

namespace fredsim::tb {

/// A value-change dump (IEEE 1364), read from its beginning to its end, one time after the other.
class VcdStream {
 public:
  /// Reads the declarations. Throws InputError, with file and line, for what is no dump.
  explicit VcdStream(const std::string& path);

  /// The variables by path, scopes joined by dots, and the code of each; several may share one.
  const std::map<std::string, std::string>& variables() const { return variables_; }

  /// Reads the changes of the next time. False at the end of the file.
  bool next();
  /// The time of what was read last, in fs.
  std::int64_t time() const { return time_; }
  /// The codes that changed then, with their values: leading zeros of vectors are left out, strings have an s
  /// in front, reals an r.
  const std::vector<std::pair<std::string, std::string>>& changes() const { return changes_; }

 private:
  [[noreturn]] void refuse(const std::string& what) const;
  bool word(std::string& word);
  void words_to_end(std::vector<std::string>& words);
  void read_declarations();
  void declare(const std::vector<std::string>& words);
  void read_timescale(const std::vector<std::string>& words);
  void read_change(const std::string& word);
  std::int64_t parsed_time(const std::string& word) const;

  std::string path_;
  std::ifstream file_;
  std::size_t line_ = 1;
  std::int64_t unit_fs_ = 0;
  std::vector<std::string> scopes_;
  std::map<std::string, std::string> variables_;
  std::vector<std::pair<std::string, std::string>> changes_;
  std::int64_t time_ = 0;
  std::int64_t upcoming_ = 0;
  bool has_upcoming_ = false;
  bool began_ = false;
};

}  // namespace fredsim::tb
