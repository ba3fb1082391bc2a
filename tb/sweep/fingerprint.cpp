#include "tb/sweep/fingerprint.h"

#include <fmt/format.h>

#include <boost/uuid/name_generator_sha1.hpp>
#include <boost/uuid/uuid_io.hpp>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <vector>

#include "hw/core/error.h"

namespace fredsim::tb {

Fingerprint::Fingerprint() : state_(boost::uuids::ns::oid()) {}

/// Each piece is hashed with what came before it as its name space.
void Fingerprint::add_piece(const char* data, std::size_t size) {
  state_ = boost::uuids::name_generator_sha1(state_)(data, size);
}

void Fingerprint::add(const std::string& text) {
  add_piece(text.data(), text.size());
}

void Fingerprint::add_file(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) throw hw::InputError(fmt::format("{}: cannot be opened: {}", path, std::strerror(errno)));
  std::vector<char> piece(1 << 20);
  do {
    file.read(piece.data(), static_cast<std::streamsize>(piece.size()));
    add_piece(piece.data(), static_cast<std::size_t>(file.gcount()));
  } while (file);
  if (file.bad()) throw hw::InputError(fmt::format("{}: cannot be read", path));
}

std::string Fingerprint::text() const {
  return boost::uuids::to_string(state_);
}

}  // namespace fredsim::tb
