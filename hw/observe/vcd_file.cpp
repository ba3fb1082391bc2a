#include "hw/observe/vcd_file.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "hw/core/error.h"
#include "hw/observe/scope_tree.h"

namespace fredsim::hw {
namespace {

constexpr std::size_t flush_above = std::size_t{1} << 18;
constexpr char first_code = '!';
constexpr std::uint32_t codes = '~' - '!' + 1;

/// The eight binary digits of every byte.
struct ByteDigits {
  std::array<std::array<char, 8>, 256> digits;

  constexpr ByteDigits() : digits() {
    for (std::size_t byte = 0; byte < 256; ++byte) {
      for (std::size_t bit = 0; bit < 8; ++bit) digits[byte][bit] = (byte >> (7 - bit) & 1) != 0 ? '1' : '0';
    }
  }
};
constexpr ByteDigits byte_digits;

/// Writes `value` in binary without leading zeros, at most 64 digits; returns the end. Up to 7 bytes before
/// the end of 64 further ones may be touched.
char* put_binary(char* out, std::uint64_t value) {
  if (value == 0) {
    *out = '0';
    return out + 1;
  }
  const int width = 64 - __builtin_clzll(value);
  // Shifted up, the digits begin at the top of the word, and so at the beginning of a byte.
  const std::uint64_t top = value << (64 - width);
  for (int digit = 0; digit < width; digit += 8) {
    std::memcpy(out + digit, byte_digits.digits[top >> (56 - digit) & 0xff].data(), 8);
  }
  return out + width;
}

std::string_view variable_type(ProbeKind kind) {
  switch (kind) {
    case ProbeKind::flag:
      return "wire 1";
    case ProbeKind::state:
      return "string 1";
    // GTKWave shows an integer without a range behind its name, so names stay free of brackets.
    case ProbeKind::level:
    case ProbeKind::number:
      break;
  }
  return "integer 64";
}

void write_scope(std::string& out, const ScopeTree& tree, std::uint32_t scope,
                 const std::vector<const ProbeInfo*>& signals, const std::vector<std::string>& codes_of) {
  for (const std::uint32_t i : tree[scope].signals) {
    out += fmt::format("$var {} {} {} $end\n", variable_type(signals[i]->kind), codes_of[i],
                       leaf_name(signals[i]->path));
  }
  for (const std::uint32_t child : tree[scope].scopes) {
    out += fmt::format("$scope module {} $end\n", tree[child].name);
    write_scope(out, tree, child, signals, codes_of);
    out += "$upscope $end\n";
  }
}

}  // namespace

std::string escape_vcd_string(std::string_view text) {
  if (text.empty()) return "-";
  std::string escaped;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte <= ' ' || byte > '~' || c == '\\' || c == '"' || c == '\'' || c == '?') {
      escaped += fmt::format("\\{:03o}", byte);
    } else {
      escaped += c;
    }
  }
  return escaped;
}

VcdFile::VcdFile(const std::string& path, const std::deque<std::string>& states, bool placeholder_date)
    : file_(std::fopen(path.c_str(), "ab")), states_(states), placeholder_date_(placeholder_date) {
  if (file_ == nullptr)
    throw InputError(fmt::format("{}: cannot be written: {}", path, std::strerror(errno)));
  std::setvbuf(file_, nullptr, _IONBF, 0);
}

VcdFile::~VcdFile() {
  if (file_ != nullptr) std::fclose(file_);
}

void VcdFile::write_header(const std::vector<const ProbeInfo*>& signals) {
  // Only now: a run that is refused leaves an older dump as it was. (What is no regular file need not be
  // emptied.)
  if (ftruncate(fileno(file_), 0) != 0 && errno != EINVAL) failure_ = std::strerror(errno);
  std::vector<std::string> codes_of;
  for (std::uint32_t i = 0; i < signals.size(); ++i) {
    std::string code;
    std::uint32_t rest = i;
    do {
      code += static_cast<char>(first_code + rest % codes);
      rest /= codes;
    } while (rest != 0);
    codes_of.push_back(code);
    Variable variable{signals[i]->kind, static_cast<std::uint8_t>(code.size() + 1), {}};
    std::copy(code.begin(), code.end(), variable.code.begin());
    variable.code[code.size()] = '\n';
    variables_.push_back(variable);
  }
  std::string header = placeholder_date_ ? "$date\n-\n$end\n" : "";
  header += "$version fredsim $end\n$timescale 1 fs $end\n";
  write_scope(header, make_scope_tree(signals), 0, signals, codes_of);
  header += "$enddefinitions $end\n";
  put(header);
  instant_begin_ = size_;
}

void VcdFile::write_initial(Time at, const std::vector<std::int64_t>& values) {
  begin_instant(at.fs());
  put("$dumpvars\n");
  for (std::uint32_t slot = 0; slot < values.size(); ++slot) put_value(slot, values[slot]);
  put("$end\n");
}

void VcdFile::begin_instant(std::int64_t at_fs) {
  end_instant();
  if (stopped_) return;
  instant_fs_ = at_fs;
  const fmt::format_int time(at_fs);
  char* out = room(time.size() + 2);
  *out++ = '#';
  out = std::copy_n(time.data(), time.size(), out);
  *out++ = '\n';
  size_ = static_cast<std::size_t>(out - buffer_.data());
}

void VcdFile::end_instant() {
  if (stopped_) return;
  if (limit_ && bytes() + most_time_bytes > *limit_) {
    size_ = instant_begin_;
    changes_ = whole_changes_;
    stopped_ = limit_reached_ = true;
    return;
  }
  last_instant_fs_ = instant_fs_;
  whole_changes_ = changes_;
  if (size_ > flush_above) flush();
  instant_begin_ = size_;
}

void VcdFile::put_value(std::uint32_t slot, std::int64_t value) {
  const Variable& variable = variables_[slot];
  char* out;
  switch (variable.kind) {
    case ProbeKind::flag:
      out = room(1 + variable.code.size());
      *out++ = value != 0 ? '1' : '0';
      break;
    case ProbeKind::state: {
      const auto state = static_cast<std::size_t>(value);
      while (escaped_states_.size() <= state) {
        escaped_states_.push_back(escape_vcd_string(states_[escaped_states_.size()]));
      }
      const std::string& name = escaped_states_[state];
      out = room(2 + name.size() + variable.code.size());
      *out++ = 's';
      out = std::copy(name.begin(), name.end(), out);
      *out++ = ' ';
      break;
    }
    default:
      out = room(2 + 64 + variable.code.size());
      *out++ = 'b';
      out = put_binary(out, static_cast<std::uint64_t>(value));
      *out++ = ' ';
  }
  // The code is copied whole, a fixed number of bytes; only its length counts.
  std::memcpy(out, variable.code.data(), variable.code.size());
  size_ = static_cast<std::size_t>(out - buffer_.data()) + variable.length;
}

std::uint64_t VcdFile::value_bytes(std::uint32_t slot, std::int64_t value) const {
  const Variable& variable = variables_[slot];
  switch (variable.kind) {
    case ProbeKind::flag:
      return 1u + variable.length;
    case ProbeKind::state:
      return 2u + escape_vcd_string(states_[static_cast<std::size_t>(value)]).size() + variable.length;
    case ProbeKind::level:
    case ProbeKind::number:
      break;
  }
  const int digits = value == 0 ? 1 : 64 - __builtin_clzll(static_cast<std::uint64_t>(value));
  return 2u + static_cast<unsigned>(digits) + variable.length;
}

std::uint64_t VcdFile::most_initial_bytes() const {
  std::uint64_t longest_state = 1;
  for (const std::string& state : states_)
    longest_state = std::max<std::uint64_t>(longest_state, escape_vcd_string(state).size());
  std::uint64_t bytes = std::string_view("$dumpvars\n$end\n").size() + most_time_bytes;
  for (const Variable& variable : variables_) {
    bytes += 2 + variable.length + (variable.kind == ProbeKind::state ? longest_state : 64);
  }
  return bytes;
}

void VcdFile::put(std::string_view text) {
  std::copy(text.begin(), text.end(), room(text.size()));
  size_ += text.size();
}

char* VcdFile::room(std::size_t bytes) {
  if (buffer_.size() - size_ < bytes) buffer_.resize(std::max(2 * flush_above, 2 * (size_ + bytes)));
  return buffer_.data() + size_;
}

void VcdFile::flush() {
  if (std::fwrite(buffer_.data(), 1, size_, file_) != size_) {
    failure_ = std::strerror(errno);
    stopped_ = true;
  }
  written_ += size_;
  size_ = 0;
}

void VcdFile::close(Time end) {
  end_instant();
  if (!stopped_ && last_instant_fs_ >= 0 && end.fs() > last_instant_fs_) {
    put(fmt::format("#{}\n", end.fs()));
    last_instant_fs_ = end.fs();
  }
  if (failure_.empty()) flush();
  if (std::fclose(file_) != 0 && failure_.empty()) failure_ = std::strerror(errno);
  file_ = nullptr;
}

}  // namespace fredsim::hw
