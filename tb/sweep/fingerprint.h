#pragma once

#include <boost/uuid/uuid.hpp>
#include <string>

namespace fredsim::tb {

/// A hash (SHA-1, as a UUID) of texts and files, in the order in which they are added.
class Fingerprint {
 public:
  Fingerprint();
  void add(const std::string& text);
  /// The content of a file, not its name. Throws InputError for one that cannot be read.
  void add_file(const std::string& path);
  /// Digits and dashes, 36 characters.
  std::string text() const;

 private:
  void add_piece(const char* data, std::size_t size);

  boost::uuids::uuid state_;
};

}  // namespace fredsim::tb
