#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "hw/core/quantity.h"

namespace fredsim::hw {

/// What to record, and when. All limits hold together: recording begins at the later of `from` and the event
/// `on`, ends at `to`, and of that only the stretch `last` is kept.
struct WaveformOptions {
  std::string path;  ///< ends in .vcd or .fst; the layout gets the same name ending in .gtkw
  std::vector<std::string>
      globs;  ///< `*` any text, dots too; `?` one character; against the whole path. Empty: all
  std::optional<Time> from;
  std::optional<Time> to;
  std::optional<std::string> on;  ///< the first event of this name at or after `from`
  std::optional<Time> last;       ///< before the end of the simulation, or `to`
  std::optional<std::uint64_t>
      limit_bytes;  ///< of the value changes as VCD text, also when an .fst is made of them
};

/// What finish() made of it.
struct WaveformSummary {
  bool written = false;  ///< there is a waveform at WaveformOptions::path
  std::string problem;  ///< for people, empty when all is well: nothing recorded, cut at the limit, disk full
  Time from;            ///< the recorded span
  Time to;
  std::uint64_t signals = 0;
  std::uint64_t changes = 0;  ///< without the initial values
  std::uint64_t bytes = 0;    ///< of VCD text
};

}  // namespace fredsim::hw
