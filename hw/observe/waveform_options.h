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
  /// Ends in .vcd or .fst; the layout gets the same name ending in .gtkw.
  std::string path;
  /// Each selects probes by their whole path and must select one: `*` any text, dots too; `?` one character.
  /// None: all.
  std::vector<std::string> globs = {};
  std::optional<Time> from = std::nullopt;
  std::optional<Time> to = std::nullopt;
  /// The first event of this name at or after `from`.
  std::optional<std::string> on = std::nullopt;
  /// How long before the end of the simulation, or `to`. Memory is bounded by the changes of this stretch.
  std::optional<Time> last = std::nullopt;
  /// Of VCD text, also when an .fst is made of it. What comes later is left out; with `last`, what is oldest.
  std::optional<std::uint64_t> limit_bytes = std::nullopt;
};

/// What finish() made of it.
struct WaveformSummary {
  bool written = false;        ///< there is a waveform at WaveformOptions::path
  bool limit_reached = false;  ///< part of the window is missing; a warning on stderr has said so
  std::string problem;  ///< for people, empty when all is well: nothing recorded, nothing changed, disk full
  Time from;            ///< the recorded span
  Time to;
  std::uint64_t signals = 0;
  std::uint64_t changes = 0;  ///< without the initial values
  std::uint64_t bytes = 0;    ///< of VCD text
};

}  // namespace fredsim::hw
