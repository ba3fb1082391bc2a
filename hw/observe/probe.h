#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "hw/core/quantity.h"
#include "hw/observe/signal.h"

namespace fredsim::hw {

class Recorder;

/// What became of a probe's value over simulated time. The value of an instant is the one after its last
/// change; what comes and goes within one instant took no time and counts nowhere, as it is nowhere in a
/// waveform.
struct ProbeStatistics {
  std::int64_t value = 0;  ///< at the end asked for
  std::int64_t peak = 0;   ///< the largest value, the initial one included
  double mean = 0;         ///< weighted by time, over everything from time 0 to the end
  Time full;               ///< time at or above ProbeInfo::full; zero without one
};

/// One observed quantity: a handle on a signal that the recorder owns, so it is copied and moved freely but
/// must not be used after the recorder is gone. A change costs a few nanoseconds and, once warmed up, no
/// allocation.
class Probe {
 public:
  /// Announces the quantity. Throws InternalError when the path is malformed or taken, or the recorder has
  /// started.
  Probe(Recorder& recorder, ProbeInfo info);

  /// The value is `value` from `at` on, or is `delta` more from then on. `at` is now or later, in any order;
  /// changes of one instant apply in the order of the calls. Throws InternalError when `at` lies in the past.
  void set(Time at, std::int64_t value) { signal_->change(at, value, false); }
  void add(Time at, std::int64_t delta) { signal_->change(at, delta, true); }

  /// The number by which set() knows the state `name`; the same name gives the same number. Any text will do:
  /// what a dump cannot hold as it is (blanks, quotes, backslashes, bytes outside ASCII) is escaped in C's
  /// octal form.
  std::int64_t state(std::string_view name);

  /// Whether a waveform records this probe, now or when its window opens: work that only a waveform needs
  /// (forming a state's name) can be left out otherwise.
  bool recorded() const { return *recording_ && signal_->recorded(); }

  /// From time 0 to `end`, which must not lie in the past; changes kept for after `end` are not in it. Throws
  /// InternalError for a probe without statistics.
  ProbeStatistics statistics(Time end) const;

  /// How long the value stood in which range over the same time; null unless the recorder keeps histograms
  /// and ProbeInfo::histogram_width gives one.
  std::unique_ptr<TimeHistogram> histogram(Time end) const;

  const ProbeInfo& info() const { return signal_->info(); }

 private:
  Signal* signal_;
  const bool* recording_;  ///< of the recorder: without a waveform the signal is not even looked at
};

}  // namespace fredsim::hw
