#pragma once

#include <string>
#include <vector>

namespace fredsim::tb {

/// What is wrong with a configuration, gathered so that a user sees all of it at once.
class Problems {
 public:
  void add(const std::string& place, const std::string& key, const std::string& what);
  /// A line that has its place and key.
  void add(const std::string& line) { lines_.push_back(line); }
  bool empty() const { return lines_.empty(); }
  /// Throw InputError with every problem on a line of its own, if there is one.
  void throw_if_any() const;

 private:
  std::vector<std::string> lines_;
};

}  // namespace fredsim::tb
