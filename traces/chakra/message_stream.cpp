#include "traces/chakra/message_stream.h"

#include <fmt/format.h>
#include <zlib.h>

#include <algorithm>
#include <limits>

#include "hw/core/error.h"

namespace fredsim::trace {
namespace {

/// Far above any real node; a larger length is garbage, and must not fill the memory.
constexpr std::uint64_t max_message = std::uint64_t{64} << 20;

}  // namespace

void MessageStream::Close::operator()(void* file) const {
  gzclose_r(static_cast<gzFile>(file));
}

MessageStream::MessageStream(const std::string& path) : path_(path), file_(gzopen(path.c_str(), "rb")) {
  if (!file_) throw hw::InputError(fmt::format("{}: cannot be read", path));
  gzbuffer(static_cast<gzFile>(file_.get()), 1 << 17);
}

std::string MessageStream::place() const {
  return fmt::format("{}: message {}", path_, messages_);
}

void MessageStream::fail(const std::string& reason) const {
  throw hw::InputError(fmt::format("{}: {}", place(), reason));
}

std::size_t MessageStream::take(char* to, std::size_t bytes) {
  const auto file = static_cast<gzFile>(file_.get());
  const int got = gzread(file, to, static_cast<unsigned>(bytes));
  int error = Z_OK;
  const char* reason = gzerror(file, &error);
  if (got < 0 || (error != Z_OK && error != Z_STREAM_END))
    fail(fmt::format("the file is damaged or cut off ({})", reason));
  return static_cast<std::size_t>(got);
}

bool MessageStream::next(std::string& message) {
  ++messages_;
  std::uint64_t length = 0;
  for (unsigned shift = 0;; shift += 7) {
    char byte = 0;
    if (take(&byte, 1) == 0) {
      if (shift == 0) return false;
      fail("the file ends inside the length of the message");
    }
    const auto bits = static_cast<std::uint8_t>(byte);
    length |= std::uint64_t{bits & 0x7fu} << shift;
    if ((bits & 0x80u) == 0) break;
    if (shift == 28) fail("its length is no 32-bit varint: this is not a Chakra trace");
  }
  if (length > max_message) {
    fail(fmt::format("its length is {}, at most {} is sensible: this is not a Chakra trace", length,
                     max_message));
  }
  // Piece by piece: a length that is garbage costs no more memory than the file has bytes.
  constexpr std::size_t piece = 1 << 16;
  message.clear();
  while (message.size() < length) {
    const std::size_t have = message.size();
    message.resize(have + std::min<std::size_t>(piece, length - have));
    const std::size_t got = take(&message[have], message.size() - have);
    message.resize(have + got);
    if (got == 0)
      fail(fmt::format("the file is cut off: {} of the {} bytes of the message are there", have, length));
  }
  return true;
}

}  // namespace fredsim::trace
