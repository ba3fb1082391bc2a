#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "hw/core/quantity.h"
#include "hw/observe/signal.h"
#include "hw/observe/value_change.h"
#include "hw/observe/waveform_options.h"

namespace fredsim::hw {

class Waveform;

/// One a simulation: knows the clock and every probe, and writes the waveform if there is to be one. Without
/// record() neither start() nor finish() need be called; probes then keep statistics only.
class Recorder {
 public:
  /// `now` gives the simulated time; it never goes back.
  explicit Recorder(std::function<Time()> now);
  ~Recorder();
  Recorder(const Recorder&) = delete;
  Recorder& operator=(const Recorder&) = delete;

  /// Asks for a waveform, once, before start() and before the first change of any probe. Opens the files at
  /// once. Throws InputError when a file cannot be opened, the ending is neither .vcd nor .fst, vcd2fst is
  /// needed and missing, or the window is empty.
  void record(const WaveformOptions& options);

  /// Before any probe is announced: levels that have ranges for one keep histograms.
  void keep_histograms() { histograms_ = true; }

  /// All probes are known and no time has passed: chooses the probes, writes the header. Throws InputError
  /// for a glob that selects nothing (with the nearest names there are) or a limit that the header alone
  /// exceeds.
  void start();

  /// Something that WaveformOptions::on may wait for happens at `at` (now or later): "op:ID" when an
  /// operation starts, "stall", "wrong-data".
  void event(std::string_view name, Time at);
  /// Whether event() is of any use still: callers can skip forming names otherwise.
  bool awaits_event() const;

  /// Applies the changes up to and including `end`, closes the dump, writes the GTKWave layout and turns the
  /// dump into FST if asked. To be called once, after the last change, also when the simulation failed.
  /// Without record() the summary is empty. A problem is for the program to show: a waveform must not be
  /// empty in silence.
  WaveformSummary finish(Time end);

  /// Whether a waveform records any probe, now or when its window opens.
  bool recording() const { return recording_; }

  Time now() const { return now_(); }
  /// When the last change takes place that has been announced: now, or later.
  Time last_change() const;

 private:
  friend class Probe;
  friend class Signal;

  Signal& announce(ProbeInfo info);
  std::int64_t state(std::string_view name);
  void written(const ValueChange& change) { changes_.push_back(change); }
  void flush_if_due() {
    if (changes_.size() >= flush_at_) flush(now_().fs());
  }
  void flush(std::int64_t now_fs);

  std::function<Time()> now_;
  std::deque<Signal> signals_;
  std::unordered_set<std::string> paths_;
  std::deque<std::string> states_;  ///< the name of each state, by number
  std::unordered_map<std::string, std::int64_t> state_numbers_;
  std::unique_ptr<Waveform> waveform_;
  bool started_ = false;
  bool recording_ = false;
  bool histograms_ = false;
  std::vector<Signal*> recorded_;
  std::vector<ValueChange> changes_;  ///< of recorded signals, not yet given to the waveform
  std::size_t flush_at_;
  std::vector<Signal::Change> due_;  ///< Signal::settle's working space, shared so that it stays warm
};

}  // namespace fredsim::hw
