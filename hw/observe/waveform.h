#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "hw/core/quantity.h"
#include "hw/observe/signal.h"
#include "hw/observe/value_change.h"
#include "hw/observe/vcd_file.h"
#include "hw/observe/waveform_options.h"

namespace fredsim::hw {

/// The waveform of one simulation: decides by WaveformOptions which changes are kept, and writes the files.
class Waveform {
 public:
  /// Checks the options and opens the files. Throws InputError.
  Waveform(const WaveformOptions& options, const std::deque<std::string>& states);
  ~Waveform();

  /// Chooses among all probes, which have these values at time 0, by the globs and writes the header. Returns
  /// the indices chosen, in order. Throws InputError for a glob that selects nothing.
  std::vector<std::uint32_t> select(const std::vector<const ProbeInfo*>& probes,
                                    const std::vector<std::int64_t>& values);

  void event(std::string_view name, Time at);
  bool awaits_event() const { return options_.on && !start_fs_; }

  /// All changes before `now_fs` that were not given yet, in any order; leaves `changes` empty.
  void take(std::vector<ValueChange>& changes, std::int64_t now_fs);
  /// No later change can be of interest.
  bool done() const { return done_; }

  /// After the last take(). `end` is when the simulation ended.
  WaveformSummary finish(Time end);

 private:
  void take(const ValueChange& change);
  void open(std::int64_t at_fs);
  void drop_until(std::int64_t at_fs);
  std::int64_t newest_that_fit(std::int64_t begin_fs) const;
  void write_stretch(std::int64_t begin_fs, std::int64_t stop_fs);
  void warn_cut(std::int64_t from_fs, std::int64_t to_fs);
  std::string nothing_recorded(Time end) const;
  void remove_files() const;
  void remove_new_files() const;
  void write_layout(WaveformSummary& summary) const;
  void convert(WaveformSummary& summary) const;

  const WaveformOptions options_;
  const bool fst_;
  const std::string vcd_path_;
  const std::vector<std::string> new_files_;  ///< that were not there before
  VcdFile vcd_;
  ChangeSorter sorter_;
  std::vector<const ProbeInfo*> signals_;
  std::vector<std::int64_t> values_;      ///< before what is in the file or in `stretch_`
  std::optional<std::int64_t> start_fs_;  ///< when the window opens, once known
  std::int64_t stop_fs_;                  ///< the last instant of the window
  std::int64_t opened_fs_ = 0;            ///< when it did open, with the initial values in the file
  bool begun_ = false;                    ///< the header is written
  bool open_ = false;
  bool cut_ = false;  ///< by WaveformOptions::limit_bytes
  bool done_ = false;
  std::deque<ValueChange> stretch_;  ///< with WaveformOptions::last: the changes of the last stretch so far
  std::set<std::string> events_seen_;
};

}  // namespace fredsim::hw
