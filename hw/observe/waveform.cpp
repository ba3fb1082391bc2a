#include "hw/observe/waveform.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>

#include "hw/core/error.h"
#include "hw/core/nearest.h"
#include "hw/observe/fst.h"
#include "hw/observe/glob.h"
#include "hw/observe/gtkwave_layout.h"

namespace fredsim::hw {
namespace {

// Enough to name in a message what events there were.
constexpr std::size_t remembered_events = 256;

bool ends_with(std::string_view text, std::string_view ending) {
  return text.size() >= ending.size() && text.substr(text.size() - ending.size()) == ending;
}

const WaveformOptions& checked(const WaveformOptions& options) {
  if (!ends_with(options.path, ".vcd") && !ends_with(options.path, ".fst")) {
    throw InputError(fmt::format("{}: a waveform's name ends in .vcd or .fst", options.path));
  }
  if (options.path.find_first_of("\"\n") != std::string::npos) {
    throw InputError(fmt::format(
        "{}: a waveform's name has no quotes or line ends, which its layout could not repeat", options.path));
  }
  if (options.from && options.to && *options.to <= *options.from) {
    throw InputError(fmt::format("{}: nothing can be recorded from {} to {}: the window must have a length",
                                 options.path, to_string(*options.from), to_string(*options.to)));
  }
  if (options.last && *options.last <= Time()) {
    throw InputError(
        fmt::format("{}: the last {} of a simulation hold nothing: the stretch must have a length",
                    options.path, to_string(*options.last)));
  }
  if (ends_with(options.path, ".fst") && !vcd2fst_installed()) {
    throw InputError(
        fmt::format("{}: the program vcd2fst makes .fst files and was not found in PATH; install GTKWave "
                    "(on Debian: apt-get install gtkwave) or record a .vcd",
                    options.path));
  }
  return options;
}

std::string layout_path(std::string_view path) {
  return fmt::format("{}.gtkw", path.substr(0, path.size() - std::string_view(".vcd").size()));
}

std::string_view file_name(std::string_view path) {
  return path.substr(path.rfind('/') + 1);
}

void add_problem(WaveformSummary& summary, const std::string& problem) {
  summary.problem += (summary.problem.empty() ? "" : "; ") + problem;
}

void check_writable(const std::string& path) {
  std::FILE* file = std::fopen(path.c_str(), "ab");
  if (file == nullptr) throw InputError(fmt::format("{}: cannot be written: {}", path, std::strerror(errno)));
  std::fclose(file);
}

std::vector<std::string> missing_files(const std::vector<std::string>& paths) {
  std::vector<std::string> missing;
  for (const std::string& path : paths) {
    if (access(path.c_str(), F_OK) != 0) missing.push_back(path);
  }
  return missing;
}

std::string unknown_glob(const std::string& glob, const std::vector<const ProbeInfo*>& probes) {
  std::vector<std::string> paths;
  for (const ProbeInfo* probe : probes) paths.push_back(probe->path);
  if (paths.empty()) return fmt::format("'{}' selects no signal to record: this system has no probes", glob);

  const std::string below = glob + ".*";
  if (std::any_of(paths.begin(), paths.end(), [&](const auto& path) { return glob_matches(below, path); })) {
    return fmt::format("'{}' selects no signal to record: it names a scope; for everything in it say '{}'",
                       glob, below);
  }
  std::string message = fmt::format("'{}' selects no signal to record", glob);
  const std::string near = nearest(glob, paths);
  if (!near.empty()) return fmt::format("{}; did you mean '{}'?", message, near);

  // Names that begin as the glob does, as far as any name goes along; else the first there are.
  std::string_view stem = std::string_view(glob).substr(0, glob.find_first_of("*?"));
  std::vector<std::string> examples;
  for (; examples.empty(); stem.remove_suffix(1)) {
    for (const std::string& path : paths) {
      if (examples.size() < 5 && path.compare(0, stem.size(), stem) == 0) examples.push_back(path);
    }
    if (stem.empty()) break;
  }
  return fmt::format("{}; there are {}, for instance {}", message, paths.size(), fmt::join(examples, ", "));
}

}  // namespace

Waveform::Waveform(const WaveformOptions& options, const std::deque<std::string>& states)
    : options_(checked(options)),
      fst_(ends_with(options.path, ".fst")),
      vcd_path_(fst_ ? options.path + ".vcd" : options.path),
      new_files_(missing_files({vcd_path_, options.path, layout_path(options.path)})),
      vcd_(vcd_path_, states, fst_),
      stop_fs_(options.to.value_or(Time::max()).fs()) {
  try {
    if (fst_) check_writable(options_.path);
    check_writable(layout_path(options_.path));
  } catch (...) {
    remove_new_files();
    throw;
  }
  if (!options_.on) start_fs_ = options_.from.value_or(Time()).fs();
}

// Where nothing was begun, for want of a signal or of room, what there was before is left, and nothing else.
Waveform::~Waveform() {
  if (!begun_) remove_new_files();
}

void Waveform::remove_new_files() const {
  for (const std::string& path : new_files_) std::remove(path.c_str());
}

void Waveform::remove_files() const {
  std::remove(vcd_path_.c_str());
  std::remove(options_.path.c_str());
  std::remove(layout_path(options_.path).c_str());
}

std::vector<std::uint32_t> Waveform::select(const std::vector<const ProbeInfo*>& probes,
                                            const std::vector<std::int64_t>& values) {
  std::vector<std::uint32_t> selected;
  std::vector<bool> used(options_.globs.size(), false);
  for (std::uint32_t i = 0; i < probes.size(); ++i) {
    bool matches = options_.globs.empty();
    for (std::size_t g = 0; g < used.size(); ++g) {
      if (!glob_matches(options_.globs[g], probes[i]->path)) continue;
      used[g] = true;
      matches = true;
    }
    if (matches) selected.push_back(i);
  }
  for (std::size_t g = 0; g < used.size(); ++g) {
    if (!used[g]) throw InputError(unknown_glob(options_.globs[g], probes));
  }
  if (selected.empty()) throw InputError(fmt::format("{}: there is no signal to record", options_.path));

  for (const std::uint32_t i : selected) {
    signals_.push_back(probes[i]);
    values_.push_back(values[i]);
  }
  vcd_.write_header(signals_);
  if (options_.limit_bytes) {
    // What every dump holds besides: the values at its begin, about as long as a line of the header each.
    if (vcd_.bytes() * 2 > *options_.limit_bytes) {
      throw InputError(fmt::format("{}: a limit of {} is too small: the names of {} signals alone take {}",
                                   options_.path, bytes_to_string(*options_.limit_bytes), signals_.size(),
                                   bytes_to_string(vcd_.bytes())));
    }
    vcd_.set_limit(*options_.limit_bytes);
  }
  begun_ = true;
  return selected;
}

void Waveform::event(std::string_view name, Time at) {
  if (!awaits_event()) return;
  if (name == *options_.on && at >= options_.from.value_or(Time())) {
    start_fs_ = at.fs();
  } else if (events_seen_.size() < remembered_events) {
    events_seen_.emplace(name);
  }
}

void Waveform::take(std::vector<ValueChange>& changes, std::int64_t now_fs) {
  sorter_.sort(changes);
  for (const ValueChange& change : changes) take(change);
  changes.clear();
  if (vcd_.limit_reached()) warn_cut(opened_fs_, vcd_.last_instant_fs());
  done_ = now_fs > stop_fs_ || vcd_.stopped();
}

void Waveform::take(const ValueChange& change) {
  if (change.at_fs > stop_fs_) return;
  if (!start_fs_ || change.at_fs <= *start_fs_) {
    values_[change.slot] = change.value;
  } else if (options_.last) {
    stretch_.push_back(change);
    drop_until(change.at_fs - options_.last->fs());
  } else {
    if (!open_) open(*start_fs_);
    vcd_.write_change(change.at_fs, change.slot, change.value);
  }
}

void Waveform::open(std::int64_t at_fs) {
  opened_fs_ = at_fs;
  vcd_.write_initial(Time::fs(at_fs), values_);
  open_ = true;
}

void Waveform::drop_until(std::int64_t at_fs) {
  for (; !stretch_.empty() && stretch_.front().at_fs <= at_fs; stretch_.pop_front()) {
    values_[stretch_.front().slot] = stretch_.front().value;
  }
}

// Of the last stretch the newest instants are worth most: where the limit cannot hold all, the oldest go.
std::int64_t Waveform::newest_that_fit(std::int64_t begin_fs) const {
  std::uint64_t budget = *options_.limit_bytes;
  const std::uint64_t fixed = vcd_.bytes() + vcd_.most_initial_bytes() + VcdFile::most_time_bytes;
  budget -= std::min(budget, fixed);
  std::uint64_t needed = 0;
  for (auto change = stretch_.rbegin(); change != stretch_.rend(); ++change) {
    const auto newer = change == stretch_.rbegin() ? change : change - 1;
    if (newer == change || newer->at_fs != change->at_fs) needed += VcdFile::most_time_bytes;
    needed += vcd_.value_bytes(change->slot, change->value);
    if (needed > budget) return change->at_fs;
  }
  return begin_fs;
}

void Waveform::write_stretch(std::int64_t begin_fs, std::int64_t stop_fs) {
  drop_until(begin_fs);
  if (options_.limit_bytes) {
    const std::int64_t fitting = newest_that_fit(begin_fs);
    if (fitting > begin_fs) warn_cut(fitting, stop_fs);
    drop_until(fitting);
    begin_fs = fitting;
  }
  open(begin_fs);
  for (const ValueChange& change : stretch_) vcd_.write_change(change.at_fs, change.slot, change.value);
}

WaveformSummary Waveform::finish(Time end) {
  WaveformSummary summary;
  summary.signals = signals_.size();
  const std::int64_t stop_fs = std::min(end.fs(), stop_fs_);
  const bool in_window = start_fs_ && *start_fs_ <= stop_fs;
  if (in_window && options_.last) {
    write_stretch(std::max(*start_fs_, stop_fs - options_.last->fs()), stop_fs);
  } else if (in_window && !open_) {
    open(*start_fs_);
  }
  vcd_.close(Time::fs(stop_fs));
  if (!in_window || !vcd_.has_values()) {
    remove_files();
    summary.problem = nothing_recorded(end);
    return summary;
  }
  if (vcd_.limit_reached()) warn_cut(opened_fs_, vcd_.last_instant_fs());

  summary.written = true;
  summary.from = Time::fs(opened_fs_);
  summary.to = Time::fs(vcd_.last_instant_fs());
  summary.changes = vcd_.changes();
  summary.bytes = vcd_.bytes();
  summary.limit_reached = cut_;
  if (!vcd_.failure().empty()) {
    summary.problem =
        fmt::format("{}: writing failed: {}; the waveform is not complete", vcd_path_, vcd_.failure());
  } else if (summary.changes == 0) {
    summary.problem = fmt::format("{}: no recorded signal changes from {} to {}", options_.path,
                                  to_string(summary.from), to_string(summary.to));
  }
  write_layout(summary);
  if (fst_) convert(summary);
  return summary;
}

void Waveform::warn_cut(std::int64_t from_fs, std::int64_t to_fs) {
  if (cut_) return;
  cut_ = true;
  fmt::print(stderr, "fredsim: warning: {}: the limit of {} is reached; only {} to {} is recorded\n",
             options_.path, bytes_to_string(*options_.limit_bytes), to_string(Time::fs(from_fs)),
             to_string(Time::fs(to_fs)));
}

std::string Waveform::nothing_recorded(Time end) const {
  const std::string what = fmt::format("{}: nothing was recorded, so the file was removed", options_.path);
  if (!vcd_.failure().empty()) return fmt::format("{}: writing failed: {}", what, vcd_.failure());
  if (vcd_.limit_reached()) {
    return fmt::format("{}: the limit of {} does not hold the values at its begin", what,
                       bytes_to_string(*options_.limit_bytes));
  }
  if (start_fs_) {
    return fmt::format("{}: the window opens at {}, the simulation ended at {}", what,
                       to_string(Time::fs(*start_fs_)), to_string(end));
  }
  const std::string after = options_.from ? fmt::format(" at or after {}", to_string(*options_.from)) : "";
  std::string message = fmt::format("{}: the event '{}' did not happen{}", what, *options_.on, after);
  if (events_seen_.empty()) return message + "; there was no other event either";
  const std::vector<std::string> seen(events_seen_.begin(), events_seen_.end());
  const std::string near = nearest(*options_.on, seen);
  if (!near.empty() && near != *options_.on) return fmt::format("{}; did you mean '{}'?", message, near);
  const std::size_t shown = std::min<std::size_t>(seen.size(), 5);
  return fmt::format("{}; events were {}{}", message, fmt::join(seen.begin(), seen.begin() + shown, ", "),
                     seen.size() > shown ? ", ..." : "");
}

void Waveform::write_layout(WaveformSummary& summary) const {
  const std::string path = layout_path(options_.path);
  // The reader looks first at what made the window open, or at the end of a last stretch, or into the middle.
  const Time middle = Time::fs(opened_fs_ + (summary.to.fs() - opened_fs_) / 2);
  const Time marker = options_.last ? summary.to : options_.on ? summary.from : middle;
  const std::string layout =
      gtkwave_layout(file_name(options_.path), file_name(path), signals_, summary.from, summary.to, marker);
  std::FILE* file = std::fopen(path.c_str(), "wb");
  const bool whole = file != nullptr && std::fwrite(layout.data(), 1, layout.size(), file) == layout.size();
  if ((file != nullptr && std::fclose(file) != 0) || !whole) {
    add_problem(summary, fmt::format("{}: cannot be written: {}", path, std::strerror(errno)));
  }
}

void Waveform::convert(WaveformSummary& summary) const {
  const std::string failure = vcd_to_fst(vcd_path_, options_.path);
  if (failure.empty()) {
    std::remove(vcd_path_.c_str());
    return;
  }
  summary.written = false;
  std::remove(options_.path.c_str());
  add_problem(summary, fmt::format("{}: vcd2fst failed: {}; the waveform is left in {}", options_.path,
                                   failure, vcd_path_));
}

}  // namespace fredsim::hw
