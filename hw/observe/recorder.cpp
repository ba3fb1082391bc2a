#include "hw/observe/recorder.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "hw/core/error.h"
#include "hw/observe/waveform.h"

namespace fredsim::hw {
namespace {

// Changes that are sorted and written together: enough to spread the cost of visiting every recorded signal,
// few enough (400 KB) to stay in a second-level cache.
constexpr std::size_t least_flush = std::size_t{1} << 14;

void check_path(const std::string& path) {
  std::size_t begin = 0;
  for (;;) {
    const std::size_t dot = path.find('.', begin);
    const std::string part = path.substr(begin, dot - begin);
    if (part.empty() || part != path_part(part)) {
      throw InternalError(
          fmt::format("probe '{}': a path is made of parts of letters, digits, _ and -, with dots "
                      "between them",
                      path));
    }
    if (dot == std::string::npos) break;
    begin = dot + 1;
  }
  if (begin == 0) throw InternalError(fmt::format("probe '{}': a path has at least one scope", path));
}

}  // namespace

Recorder::Recorder(std::function<Time()> now) : now_(std::move(now)), flush_at_(least_flush) {}
Recorder::~Recorder() = default;

Signal& Recorder::announce(ProbeInfo info) {
  check_path(info.path);
  if (started_)
    throw InternalError(fmt::format("{}: a probe is announced after recording has begun", info.path));
  if (!paths_.insert(info.path).second) {
    throw InternalError(fmt::format("{}: two probes have this name", info.path));
  }
  const std::int64_t initial = info.kind == ProbeKind::state ? state(info.initial_state) : info.initial;
  Signal& signal = signals_.emplace_back(*this, std::move(info), initial, waveform_ != nullptr);
  if (histograms_) signal.keep_histogram();
  return signal;
}

std::int64_t Recorder::state(std::string_view name) {
  const auto [entry, is_new] = state_numbers_.emplace(name, states_.size());
  if (is_new) states_.emplace_back(name);
  return entry->second;
}

void Recorder::record(const WaveformOptions& options) {
  if (started_ || waveform_)
    throw InternalError("a waveform is asked for twice, or after recording has begun");
  waveform_ = std::make_unique<Waveform>(options, states_);
  for (Signal& signal : signals_) signal.hold();
}

void Recorder::start() {
  if (started_) throw InternalError("recording is begun twice");
  started_ = true;
  if (!waveform_) return;
  std::vector<const ProbeInfo*> probes;
  std::vector<std::int64_t> values;
  for (const Signal& signal : signals_) {
    probes.push_back(&signal.info());
    values.push_back(signal.value());
  }
  const std::vector<std::uint32_t> selected = waveform_->select(probes, values);
  std::vector<bool> chosen(signals_.size(), false);
  for (const std::uint32_t i : selected) {
    chosen[i] = true;
    recording_ = true;
    signals_[i].record(static_cast<std::uint32_t>(recorded_.size()));
    recorded_.push_back(&signals_[i]);
  }
  for (std::size_t i = 0; i < signals_.size(); ++i) {
    if (!chosen[i]) signals_[i].stop_recording();
  }
}

void Recorder::event(std::string_view name, Time at) {
  if (!awaits_event()) return;
  if (at < now()) {
    throw InternalError(
        fmt::format("event '{}' at {} is announced at {}", name, to_string(at), to_string(now())));
  }
  waveform_->event(name, at);
}

bool Recorder::awaits_event() const {
  return waveform_ && waveform_->awaits_event();
}

void Recorder::flush(std::int64_t now_fs) {
  std::size_t ahead = 0;
  for (Signal* signal : recorded_) {
    signal->settle(now_fs);
    ahead += signal->pending();
  }
  waveform_->take(changes_, now_fs);
  flush_at_ = std::max(least_flush, 2 * (recorded_.size() + ahead));
  if (!waveform_->done()) return;
  for (Signal* signal : recorded_) signal->stop_recording();
  recorded_.clear();
}

Time Recorder::last_change() const {
  Time latest = now();
  for (const Signal& signal : signals_) latest = std::max(latest, Time::fs(signal.latest_pending()));
  return latest;
}

WaveformSummary Recorder::finish(Time end) {
  if (!waveform_) return {};
  if (!started_) throw InternalError("recording is ended before it has begun");
  // Changes at the end itself are part of it.
  flush(end == Time::max() ? end.fs() : end.fs() + 1);
  WaveformSummary summary = waveform_->finish(end);
  for (Signal* signal : recorded_) signal->stop_recording();
  recorded_.clear();
  waveform_.reset();
  return summary;
}

}  // namespace fredsim::hw
