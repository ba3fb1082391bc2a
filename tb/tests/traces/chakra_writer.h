#pragma once

#include <zlib.h>

#include <cstdint>
#include <cstring>
#include <fstream>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "tb/tests/support/folder.h"

namespace fredsim::trace::testing {

using tb::test::Folder;

/// Protobuf's wire format by hand, so that the importer is not tested against the code it is made of.
class Message {
 public:
  Message& varint(unsigned field, std::uint64_t value) {
    tag(field, 0);
    raw_varint(value);
    return *this;
  }
  Message& fixed32(unsigned field, std::uint32_t value) {
    tag(field, 5);
    for (int i = 0; i < 4; ++i) bytes_ += static_cast<char>(value >> (8 * i));
    return *this;
  }
  Message& fixed64(unsigned field, std::uint64_t value) {
    tag(field, 1);
    for (int i = 0; i < 8; ++i) bytes_ += static_cast<char>(value >> (8 * i));
    return *this;
  }
  Message& text(unsigned field, const std::string& value) {
    tag(field, 2);
    raw_varint(value.size());
    bytes_ += value;
    return *this;
  }
  /// Repeated numbers in one packed field.
  Message& packed(unsigned field, const std::vector<std::uint64_t>& values) {
    Message inner;
    for (const std::uint64_t value : values) inner.raw_varint(value);
    return text(field, inner.bytes_);
  }
  const std::string& bytes() const { return bytes_; }
  void raw_varint(std::uint64_t value) {
    for (; value >= 0x80; value >>= 7) bytes_ += static_cast<char>(value | 0x80);
    bytes_ += static_cast<char>(value);
  }

 private:
  void tag(unsigned field, unsigned wire) { raw_varint(field << 3 | wire); }
  std::string bytes_;
};

/// The kinds in which a whole number may be written, by field number of the attribute.
enum class Width {
  int32 = 7,
  int64 = 9,
  uint32 = 11,
  uint64 = 13,
  sint32 = 15,
  sint64 = 17,
  fixed32 = 19,
  fixed64 = 21,
  sfixed32 = 23,
  sfixed64 = 25
};

inline std::string attribute(const std::string& name, std::int64_t value, Width width = Width::int64) {
  const auto field = static_cast<unsigned>(width);
  const auto bits = static_cast<std::uint64_t>(value);
  Message message;
  message.text(1, name);
  switch (width) {
    case Width::sint32:
    case Width::sint64:
      message.varint(field, bits << 1 ^ (value < 0 ? ~std::uint64_t{0} : 0));
      break;
    case Width::fixed32:
    case Width::sfixed32:
      message.fixed32(field, static_cast<std::uint32_t>(bits));
      break;
    case Width::fixed64:
    case Width::sfixed64:
      message.fixed64(field, bits);
      break;
    default:
      message.varint(field, bits);
  }
  return message.bytes();
}
inline std::string attribute(const std::string& name, const std::string& value) {
  return Message().text(1, name).text(29, value).bytes();
}
inline std::string flag(const std::string& name, bool value) {
  return Message().text(1, name).varint(27, value).bytes();
}

/// A node as the test wants it.
struct Node {
  std::uint64_t id = 0;
  std::string name;
  int type = 4;
  std::vector<std::string> attributes;
  std::vector<std::uint64_t> data_deps;
  std::vector<std::uint64_t> ctrl_deps;
  std::uint64_t micros = 0;
  std::string values;  ///< inputs.values

  std::string bytes() const {
    Message message;
    if (id != 0) message.varint(1, id);
    message.text(2, name).varint(3, static_cast<std::uint64_t>(type));
    for (const std::uint64_t dep : ctrl_deps)
      message.varint(4, dep);  // one field each: writers may do either
    if (!data_deps.empty()) message.packed(5, data_deps);
    if (micros != 0) message.varint(7, micros);
    if (!values.empty()) message.text(8, Message().text(1, values).bytes());
    for (const std::string& a : attributes) message.text(10, a);
    return message.bytes();
  }
};

inline Node compute(std::uint64_t id, std::uint64_t micros, std::vector<std::uint64_t> deps = {}) {
  Node node;
  node.id = id;
  node.name = "compute";
  node.micros = micros;
  node.data_deps = std::move(deps);
  return node;
}
inline Node collective(std::uint64_t id, int comm_type, std::int64_t bytes, const std::string& group = "",
                       std::vector<std::uint64_t> deps = {}) {
  Node node;
  node.id = id;
  node.name = "coll";
  node.type = 7;
  node.attributes = {flag("is_cpu_op", false), attribute("comm_type", comm_type),
                     attribute("comm_size", bytes)};
  if (!group.empty()) node.attributes.push_back(attribute("pg_name", group));
  node.data_deps = std::move(deps);
  return node;
}
inline Node point_to_point(std::uint64_t id, bool sends, std::int64_t src, std::int64_t dst,
                           std::int64_t bytes, std::int64_t tag, std::vector<std::uint64_t> deps = {}) {
  Node node;
  node.id = id;
  node.name = sends ? "send" : "recv";
  node.type = sends ? 5 : 6;
  node.attributes = {attribute("comm_src", src, Width::int32), attribute("comm_dst", dst, Width::int32),
                     attribute("comm_size", bytes, Width::uint64), attribute("comm_tag", tag, Width::uint32)};
  node.data_deps = std::move(deps);
  return node;
}
inline Node groups(std::uint64_t id, const std::string& json) {
  Node node;
  node.id = id;
  node.name = "groups";
  node.type = 1;
  node.values = json;
  return node;
}

inline std::string delimited(const std::string& message) {
  Message length;
  length.raw_varint(message.size());
  return length.bytes() + message;
}

inline std::string file_of(const std::vector<Node>& nodes) {
  std::string text = delimited(Message().text(1, "0.0.4").bytes());
  for (const Node& node : nodes) text += delimited(node.bytes());
  return text;
}

inline void write_file(const std::string& path, const std::string& text, bool gzip = false) {
  if (gzip) {
    const gzFile file = gzopen(path.c_str(), "wb");
    if (!file ||
        gzwrite(file, text.data(), static_cast<unsigned>(text.size())) != static_cast<int>(text.size())) {
      throw std::runtime_error("cannot write " + path);
    }
    gzclose(file);
    return;
  }
  std::ofstream(path, std::ios::binary) << text;
}

}  // namespace fredsim::trace::testing
