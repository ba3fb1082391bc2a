#include "tb/compare/vcd_stream.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cerrno>
#include <charconv>
#include <cstring>
#include <limits>

#include "hw/core/error.h"
#include "tb/configuration/value_text.h"

namespace fredsim::tb {
namespace {

bool is_blank(int c) {
  return c == ' ' || c == '\n' || c == '\t' || c == '\r';
}

/// A vector without the digits that stand for nothing: 0b0010 is 0b10.
std::string normalized(const std::string& digits) {
  const std::size_t first = digits.find_first_not_of('0');
  return first == std::string::npos ? "0" : digits.substr(first);
}

}  // namespace

VcdStream::VcdStream(const std::string& path) : path_(path), file_(path, std::ios::binary) {
  if (!file_) throw hw::InputError(fmt::format("{}: cannot be opened: {}", path, std::strerror(errno)));
  read_declarations();
}

void VcdStream::refuse(const std::string& what) const {
  throw hw::InputError(
      fmt::format("{}:{}: {}; a waveform here is a value-change dump (.vcd)", path_, line_, what));
}

bool VcdStream::word(std::string& word) {
  constexpr std::size_t longest = 1 << 20;
  word.clear();
  std::streambuf& in = *file_.rdbuf();
  int c = in.sbumpc();
  for (; is_blank(c); c = in.sbumpc()) line_ += c == '\n' ? 1 : 0;
  for (; c != EOF && !is_blank(c); c = in.sbumpc()) {
    if (c == 0 || word.size() == longest) refuse("this is no text");
    word += static_cast<char>(c);
  }
  if (c != EOF) in.sungetc();
  return !word.empty();
}

void VcdStream::words_to_end(std::vector<std::string>& words) {
  words.clear();
  for (std::string w; word(w);) {
    if (w == "$end") return;
    words.push_back(w);
  }
  refuse("the file ends within a declaration");
}

void VcdStream::read_declarations() {
  std::vector<std::string> words;
  for (std::string w; word(w);) {
    if (w.front() != '$') refuse(in_quotes(w) + " stands where a declaration is due");
    words_to_end(words);
    if (w == "$enddefinitions") {
      if (unit_fs_ == 0) refuse("$timescale is missing");
      return;
    }
    if (w == "$timescale") read_timescale(words);
    if (w == "$scope") {
      if (words.size() != 2) refuse("$scope takes a type and a name");
      scopes_.push_back(words[1]);
    }
    if (w == "$upscope") {
      if (scopes_.empty()) refuse("$upscope without a $scope");
      scopes_.pop_back();
    }
    if (w == "$var") declare(words);
  }
  refuse("$enddefinitions is missing");
}

void VcdStream::declare(const std::vector<std::string>& words) {
  if (words.size() < 4) refuse("$var takes a type, a width, a code and a name");
  std::string path = fmt::format("{}", fmt::join(scopes_, "."));
  path += (path.empty() ? "" : ".") + fmt::format("{}", fmt::join(words.begin() + 3, words.end(), ""));
  if (!variables_.emplace(path, words[2]).second) refuse(in_quotes(path) + " is declared twice");
}

void VcdStream::read_timescale(const std::vector<std::string>& words) {
  const std::string text = fmt::format("{}", fmt::join(words, ""));
  std::int64_t number = 0;
  const auto [rest, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  static const std::map<std::string, std::int64_t> units = {{"fs", 1},
                                                            {"ps", 1'000},
                                                            {"ns", 1'000'000},
                                                            {"us", 1'000'000'000},
                                                            {"ms", 1'000'000'000'000},
                                                            {"s", 1'000'000'000'000'000}};
  const auto unit = units.find(std::string(rest, text.data() + text.size()));
  if (error != std::errc() || unit == units.end() || (number != 1 && number != 10 && number != 100))
    refuse("$timescale " + in_quotes(text) + " is not 1, 10 or 100 and a unit");
  unit_fs_ = number * unit->second;
}

std::int64_t VcdStream::parsed_time(const std::string& word) const {
  std::int64_t ticks = 0;
  const char* end = word.data() + word.size();
  const auto [rest, error] = std::from_chars(word.data() + 1, end, ticks);
  if (error != std::errc() || rest != end || ticks < 0 ||
      ticks > std::numeric_limits<std::int64_t>::max() / unit_fs_)
    refuse(in_quotes(word) + " is no time");
  return ticks * unit_fs_;
}

void VcdStream::read_change(const std::string& first) {
  const char kind = first.front();
  if (std::strchr("01xXzZ", kind)) {
    if (first.size() < 2) refuse(in_quotes(first) + " lacks a code");
    changes_.emplace_back(first.substr(1), std::string(1, kind));
    return;
  }
  if (!std::strchr("bBrRsS", kind)) refuse(in_quotes(first) + " is no change of a value");
  std::string code;
  if (!word(code)) refuse("the file ends within a change");
  if (kind == 'b' || kind == 'B') {
    changes_.emplace_back(std::move(code), normalized(first.substr(1)));
  } else {
    changes_.emplace_back(std::move(code), first);
  }
}

bool VcdStream::next() {
  changes_.clear();
  if (began_ && !has_upcoming_) return false;
  began_ = true;
  time_ = upcoming_;
  has_upcoming_ = false;
  for (std::string w; word(w);) {
    if (w.front() == '#') {
      upcoming_ = parsed_time(w);
      if (upcoming_ < time_) refuse("time goes back from " + std::to_string(time_) + " fs");
      if (upcoming_ == time_) continue;
      has_upcoming_ = true;
      return true;
    }
    if (w.front() == '$') {
      // $dumpvars and its kin hold changes and end with $end; a comment holds words.
      std::vector<std::string> words;
      if (w == "$comment") words_to_end(words);
      continue;
    }
    read_change(w);
  }
  return true;
}

}  // namespace fredsim::tb
