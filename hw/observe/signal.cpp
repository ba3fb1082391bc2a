#include "hw/observe/signal.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "hw/core/error.h"
#include "hw/observe/recorder.h"

namespace fredsim::hw {
namespace {

// Room for the changes of a buffer or a link between two sorts; a power of two of cache lines.
constexpr std::size_t first_room = 8;

bool allowed_in_path(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '-';
}

void sort_by_time(std::vector<Signal::Change>& changes) {
  const auto earlier = [](const Signal::Change& a, const Signal::Change& b) {
    return a.at_fs != b.at_fs ? a.at_fs < b.at_fs : a.order < b.order;
  };
  if (!std::is_sorted(changes.begin(), changes.end(), earlier)) {
    std::sort(changes.begin(), changes.end(), earlier);
  }
}

}  // namespace

ProbeInfo waveform_only(std::string path, std::string unit, std::string meaning, ProbeKind kind) {
  ProbeInfo info;
  info.path = std::move(path);
  info.unit = std::move(unit);
  info.meaning = std::move(meaning);
  info.kind = kind;
  info.statistics = false;
  return info;
}

std::string path_part(std::string_view text) {
  std::string part(text.empty() ? "_" : text);
  for (char& c : part) {
    if (!allowed_in_path(c)) c = '_';
  }
  // A leading dash would begin a comment in a layout.
  if (part.front() == '-') part.front() = '_';
  return part;
}

Signal::Signal(Recorder& recorder, ProbeInfo info, std::int64_t initial, bool active)
    : active_(active), statistics_(info.statistics && info.kind != ProbeKind::state), recorder_(&recorder) {
  info_ = std::move(info);
  active_ = active_ || statistics_;
  occupation_.value = occupation_.peak = initial;
  if (info_.full) occupation_.full_level = *info_.full;
}

void Signal::make_room() {
  if (pending_.capacity() == 0) {
    pending_.reserve(first_room);
    return;
  }
  settle(recorder_->now().fs());
  if (pending_.size() > pending_.capacity() / 2) pending_.reserve(2 * pending_.capacity());
  recorder_->flush_if_due();
}

void Signal::settle(std::int64_t now_fs) {
  settled_fs_ = std::max(settled_fs_, now_fs);
  if (pending_.empty()) return;
  std::vector<Change>& due = recorder_->due_;
  due.clear();
  auto ahead = pending_.begin();
  for (const Change& change : pending_) {
    if (change.at_fs < now_fs) {
      due.push_back(change);
      due.back().order = static_cast<std::uint32_t>(due.size());
    } else {
      *ahead++ = change;
    }
  }
  pending_.erase(ahead, pending_.end());
  apply(due);
}

void Signal::apply(std::vector<Change>& due) {
  sort_by_time(due);
  std::int64_t value = occupation_.value;
  for (std::size_t i = 0; i < due.size(); ++i) {
    value = after(value, due[i]);
    const bool instant_goes_on = i + 1 < due.size() && due[i + 1].at_fs == due[i].at_fs;
    if (instant_goes_on || value == occupation_.value) continue;
    if (value < 0 && info_.kind != ProbeKind::number) {
      throw InternalError(fmt::format("{}: becomes {} at {}, but a {} is never negative", info_.path, value,
                                      to_string(Time::fs(due[i].at_fs)),
                                      info_.kind == ProbeKind::level ? "level" : "flag or state"));
    }
    occupation_.change(due[i].at_fs, value);
    if (recorded_) recorder_->written({due[i].at_fs, value, slot_});
  }
}

std::int64_t Signal::after(std::int64_t value, const Change& change) const {
  if (!change.relative) return change.amount;
  std::int64_t sum;
  if (__builtin_add_overflow(value, change.amount, &sum)) {
    throw InternalError(fmt::format("{}: {} and {} more at {} exceed 64 bits", info_.path, value,
                                    change.amount, to_string(Time::fs(change.at_fs))));
  }
  return sum;
}

void Signal::keep_histogram() {
  if (!statistics_ || info_.histogram_width == 0) return;
  histogram_ = std::make_unique<TimeHistogram>(info_.histogram_width);
  occupation_.histogram = histogram_.get();
}

Occupation Signal::occupation(std::int64_t end_fs, std::unique_ptr<TimeHistogram>* histogram) const {
  if (end_fs < settled_fs_ - 1) {
    throw InternalError(fmt::format("{}: statistics to {} asked for at {}", info_.path,
                                    to_string(Time::fs(end_fs)), to_string(Time::fs(settled_fs_))));
  }
  std::vector<Change> due;
  for (const Change& change : pending_) {
    if (change.at_fs > end_fs) continue;
    due.push_back(change);
    due.back().order = static_cast<std::uint32_t>(due.size());
  }
  sort_by_time(due);
  Occupation result = occupation_;
  result.histogram = nullptr;
  if (histogram && histogram_) {
    *histogram = std::make_unique<TimeHistogram>(*histogram_);
    result.histogram = histogram->get();
  }
  std::int64_t value = result.value;
  for (std::size_t i = 0; i < due.size(); ++i) {
    value = after(value, due[i]);
    if (i + 1 < due.size() && due[i + 1].at_fs == due[i].at_fs) continue;
    result.change(due[i].at_fs, value);
  }
  result.advance(end_fs);
  result.histogram = nullptr;
  return result;
}

void Signal::record(std::uint32_t slot) {
  recorded_ = active_ = true;
  slot_ = slot;
}

void Signal::stop_recording() {
  recorded_ = false;
  active_ = statistics_;
  if (!active_) pending_.clear();
}

void Signal::throw_past(Time at) const {
  throw InternalError(fmt::format("{}: a change at {} was announced after {}", info_.path, to_string(at),
                                  to_string(Time::fs(settled_fs_))));
}

std::int64_t Signal::latest_pending() const {
  std::int64_t latest = 0;
  for (const Change& change : pending_) latest = std::max(latest, change.at_fs);
  return latest;
}

}  // namespace fredsim::hw
