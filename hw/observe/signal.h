#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "hw/core/quantity.h"
#include "hw/observe/time_histogram.h"

namespace fredsim::hw {

class Recorder;

enum class ProbeKind : std::uint8_t {
  level,   ///< an amount that fills and drains: bytes, packets, credits; never negative
  flag,    ///< 0 or 1
  state,   ///< one of a set of named states
  number,  ///< a name in the form of an integer: packet number, route set; may be negative
};

/// What a probe says of itself: the waveform's header, the viewer's layout and the results are made from this
/// alone.
struct ProbeInfo {
  std::string
      path;  ///< "switch.in3.vc_dp.occupancy": one scope or more, parted by dots; letters, digits, _ and -
  std::string unit = {};     ///< "B", "packets"; empty for a flag or a state
  std::string meaning = {};  ///< one line for people
  ProbeKind kind = ProbeKind::level;
  std::optional<std::int64_t> full = std::nullopt;  ///< the level at or above which the thing counts as full
  std::int64_t initial = 0;                         ///< value at time 0; a state begins as `initial_state`
  std::string initial_state = "idle";
  std::int64_t histogram_width = 0;  ///< of a level: above 0, its ranges if the recorder keeps histograms
  bool statistics =
      true;  ///< false: costs a level test unless a waveform records it (states never have statistics)
};

/// Of what is shown in waveforms only, since results say it otherwise or not at all.
ProbeInfo waveform_only(std::string path, std::string unit, std::string meaning, ProbeKind kind);

/// A name from the user as one part of a path: what may not stand there becomes an underscore ("Sao Paulo"
/// becomes "Sao_Paulo"). Different names can come out equal; whoever forms paths of them numbers them then.
std::string path_part(std::string_view text);

/// Integral of a value over time, exactly: values to 2^63 over spans to 2^63 fs.
__extension__ typedef __int128 ValueTime;

/// The running statistics of a value that changes in time order.
struct Occupation {
  std::int64_t value = 0;
  std::int64_t peak = 0;
  std::int64_t full_level = std::numeric_limits<std::int64_t>::max();
  std::int64_t since_fs = 0;
  std::int64_t full_fs = 0;
  TimeHistogram* histogram = nullptr;  ///< null unless one is kept
  ValueTime integral = 0;

  void advance(std::int64_t at_fs) {
    const std::int64_t span = at_fs - since_fs;
    integral += static_cast<ValueTime>(value) * span;
    if (value >= full_level) full_fs += span;
    if (histogram) histogram->add(value, span);
    since_fs = at_fs;
  }
  void change(std::int64_t at_fs, std::int64_t to) {
    advance(at_fs);
    value = to;
    if (to > peak) peak = to;
  }
};

/// What a Probe is a handle on: the changes that earlier ones may still overtake, in the order they were
/// announced, and the value and statistics before them. Owned by the recorder.
///
/// Changes are gathered unsorted and sorted when there is no room for more; room doubles while more than half
/// of them still lie ahead. So a change costs a store and its share of a small sort, however far ahead others
/// wait.
class alignas(64) Signal {  // a change touches one cache line of it
 public:
  struct Change {
    std::int64_t at_fs;
    std::int64_t amount;
    std::uint32_t order;  ///< of the calls, among changes that are sorted together
    bool relative;
  };

  Signal(Recorder& recorder, ProbeInfo info, std::int64_t initial, bool active);
  Signal(const Signal&) = delete;
  Signal& operator=(const Signal&) = delete;

  void change(Time at, std::int64_t amount, bool relative) {
    if (!active_) return;
    if (at.fs() < settled_fs_) throw_past(at);
    if (pending_.size() == pending_.capacity()) make_room();
    pending_.push_back({at.fs(), amount, 0, relative});
  }

  /// Applies every change before `now_fs`; from here on none earlier than that is accepted.
  void settle(std::int64_t now_fs);

  /// Statistics to `end_fs` with the changes up to and including it; alters nothing. The histogram, if one is
  /// kept, goes to `histogram`, if that is not null.
  Occupation occupation(std::int64_t end_fs, std::unique_ptr<TimeHistogram>* histogram = nullptr) const;

  /// Begins or ends recording; `slot` is the signal's place in the waveform.
  void record(std::uint32_t slot);
  void stop_recording();
  /// Keeps changes from here on although no statistics need them, until record() or stop_recording() decides.
  void hold() { active_ = true; }

  /// Before the first change: keeps a histogram.
  void keep_histogram();

  bool recorded() const { return recorded_; }
  bool has_statistics() const { return statistics_; }
  const ProbeInfo& info() const { return info_; }
  std::int64_t value() const { return occupation_.value; }
  std::size_t pending() const { return pending_.size(); }
  /// The time of the latest change that is not settled, 0 if there is none.
  std::int64_t latest_pending() const;
  Recorder& recorder() const { return *recorder_; }

 private:
  void make_room();
  void apply(std::vector<Change>& due);
  std::int64_t after(std::int64_t value, const Change& change) const;
  [[noreturn]] void throw_past(Time at) const;

  bool active_;
  bool recorded_ = false;
  const bool statistics_;
  std::uint32_t slot_ = 0;
  std::int64_t settled_fs_ = 0;
  std::vector<Change> pending_;
  Occupation occupation_;
  Recorder* recorder_;
  std::unique_ptr<TimeHistogram> histogram_;
  ProbeInfo info_;
};

}  // namespace fredsim::hw
