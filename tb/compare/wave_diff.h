#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace fredsim::tb {

/// A signal at the time at which two waveforms part.
struct SignalDifference {
  std::string path;
  std::string a, b;  ///< as a person reads them; "-" before the first value
};

struct WaveDifference {
  std::size_t compared = 0;  ///< signals
  std::vector<std::string> only_in_a, only_in_b;
  std::optional<std::int64_t> first_fs;     ///< nothing: the signals compared are equal at all times
  std::vector<SignalDifference> signals;    ///< all that differ then, by path
  std::int64_t end_a_fs = 0, end_b_fs = 0;  ///< last time in each; up to the difference if there is one

  bool equal() const { return !first_fs && only_in_a.empty() && only_in_b.empty() && end_a_fs == end_b_fs; }
};

/// Compares two value-change dumps, signals by path, values as they hold once all changes of a time are made.
/// `globs`: the signals that count; empty: all. Throws InputError for files that are no dumps, and if no
/// signal counts.
WaveDifference wave_diff(const std::string& a, const std::string& b, const std::vector<std::string>& globs);

/// What a person wants to know.
std::string to_text(const WaveDifference& difference);

}  // namespace fredsim::tb
