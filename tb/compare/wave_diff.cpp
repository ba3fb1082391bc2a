#include "tb/compare/wave_diff.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <map>
#include <set>
#include <unordered_map>

#include "hw/core/error.h"
#include "hw/core/quantity.h"
#include "hw/observe/glob.h"
#include "tb/compare/vcd_stream.h"

namespace fredsim::tb {
namespace {

/// One of the two waveforms: where it is, and which signals its codes stand for.
struct Side {
  explicit Side(const std::string& path) : stream(path) { more = stream.next(); }

  VcdStream stream;
  bool more = false;
  std::unordered_map<std::string, std::vector<std::size_t>> signals;  ///< by code
  std::vector<std::string> values;                                    ///< by signal

  std::int64_t next_time() const { return more ? stream.time() : std::numeric_limits<std::int64_t>::max(); }
  /// Makes the changes of this time, and adds the signals that they concern.
  void apply(std::set<std::size_t>& changed) {
    for (const auto& [code, value] : stream.changes()) {
      const auto found = signals.find(code);
      if (found == signals.end()) continue;
      for (const std::size_t signal : found->second) {
        values[signal] = value;
        changed.insert(signal);
      }
    }
  }
};

/// Binary as a number where it is one; the text of a string.
std::string shown(const std::string& value) {
  if (value.empty()) return "-";
  if (value.front() == 's' || value.front() == 'r') return value.size() > 1 ? value.substr(1) : "\"\"";
  if (value.size() > 63 || value.find_first_not_of("01") != std::string::npos) return value;
  return std::to_string(std::stoull(value, nullptr, 2));
}

std::string time_text(std::int64_t fs) {
  return hw::to_string(hw::Time::fs(fs));
}

std::string names_text(const char* what, const std::vector<std::string>& names) {
  if (names.empty()) return "";
  std::string text = fmt::format("only in {}: {} signals: ", what, names.size());
  constexpr std::size_t most = 5;
  for (std::size_t i = 0; i < std::min(most, names.size()); ++i) text += (i ? ", " : "") + names[i];
  return text + (names.size() > most ? ", ...\n" : "\n");
}

}  // namespace

WaveDifference wave_diff(const std::string& path_a, const std::string& path_b,
                         const std::vector<std::string>& globs) {
  Side a(path_a), b(path_b);
  WaveDifference difference;
  std::vector<std::string> paths;
  const auto counts = [&](const std::string& path) {
    return globs.empty() || std::any_of(globs.begin(), globs.end(), [&](const std::string& glob) {
             return hw::glob_matches(glob, path);
           });
  };
  for (const auto& [path, code] : a.stream.variables()) {
    if (!counts(path)) continue;
    const auto other = b.stream.variables().find(path);
    if (other == b.stream.variables().end()) {
      difference.only_in_a.push_back(path);
      continue;
    }
    a.signals[code].push_back(paths.size());
    b.signals[other->second].push_back(paths.size());
    paths.push_back(path);
  }
  for (const auto& [path, code] : b.stream.variables()) {
    if (counts(path) && a.stream.variables().count(path) == 0) difference.only_in_b.push_back(path);
  }
  difference.compared = paths.size();
  if (paths.empty() && difference.only_in_a.empty() && difference.only_in_b.empty())
    throw hw::InputError("no signal to compare: neither waveform has one" +
                         std::string(globs.empty() ? "" : " that fits --wave"));
  a.values.resize(paths.size());
  b.values.resize(paths.size());

  std::set<std::size_t> changed;
  while (a.more || b.more) {
    const std::int64_t now = std::min(a.next_time(), b.next_time());
    changed.clear();
    for (Side* side : {&a, &b}) {
      if (side->next_time() != now) continue;
      (side == &a ? difference.end_a_fs : difference.end_b_fs) = now;
      side->apply(changed);
      side->more = side->stream.next();
    }
    for (const std::size_t signal : changed) {
      if (a.values[signal] != b.values[signal])
        difference.signals.push_back({paths[signal], shown(a.values[signal]), shown(b.values[signal])});
    }
    if (!difference.signals.empty()) {
      difference.first_fs = now;
      return difference;
    }
  }
  return difference;
}

std::string to_text(const WaveDifference& d) {
  std::string text = names_text("A", d.only_in_a) + names_text("B", d.only_in_b);
  if (d.first_fs) {
    text += fmt::format("the waveforms part at {}\n", time_text(*d.first_fs));
    constexpr std::size_t most = 20;
    for (std::size_t i = 0; i < std::min(most, d.signals.size()); ++i)
      text += fmt::format("  {}: {} in A, {} in B\n", d.signals[i].path, d.signals[i].a, d.signals[i].b);
    if (d.signals.size() > most) text += fmt::format("  and {} more\n", d.signals.size() - most);
    return text + fmt::format("before that all {} signals are equal\n", d.compared);
  }
  text += fmt::format("{} signals are equal at all times", d.compared);
  if (d.end_a_fs == d.end_b_fs) return text + fmt::format(", up to {}\n", time_text(d.end_a_fs));
  return text + fmt::format(", but A ends at {} and B at {}\n", time_text(d.end_a_fs), time_text(d.end_b_fs));
}

}  // namespace fredsim::tb
