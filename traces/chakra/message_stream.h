#pragma once

#include <cstdint>
#include <memory>
#include <string>

namespace fredsim::trace {

/// The messages of a file, each behind its length as a varint of up to 32 bits; gzip is taken off if it is
/// there.
class MessageStream {
 public:
  /// hw::InputError if the file cannot be opened.
  explicit MessageStream(const std::string& path);

  /// The next message, or false at the end of the file; hw::InputError for a damaged or cut off file.
  bool next(std::string& message);

  /// Where the last message is, for messages to people: "a.0.et: message 3".
  std::string place() const;

 private:
  struct Close {
    void operator()(void* file) const;
  };
  std::size_t take(char* to, std::size_t bytes);
  [[noreturn]] void fail(const std::string& reason) const;

  std::string path_;
  std::unique_ptr<void, Close> file_;
  std::uint64_t messages_ = 0;
};

}  // namespace fredsim::trace
