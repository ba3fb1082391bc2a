#include "hw/observe/probe.h"

#include <fmt/format.h>

#include "hw/core/error.h"
#include "hw/observe/recorder.h"

namespace fredsim::hw {

Probe::Probe(Recorder& recorder, ProbeInfo info)
    : signal_(&recorder.announce(std::move(info))), recording_(&recorder.recording_) {}

std::int64_t Probe::state(std::string_view name) {
  return signal_->recorder().state(name);
}

ProbeStatistics Probe::statistics(Time end) const {
  if (!signal_->has_statistics()) {
    throw InternalError(fmt::format("{}: keeps no statistics", info().path));
  }
  const Occupation occupation = signal_->occupation(end.fs());
  ProbeStatistics result;
  result.value = occupation.value;
  result.peak = occupation.peak;
  result.mean = end.fs() == 0 ? static_cast<double>(occupation.value)
                              : static_cast<double>(occupation.integral) / static_cast<double>(end.fs());
  result.full = Time::fs(occupation.full_fs);
  return result;
}

std::unique_ptr<TimeHistogram> Probe::histogram(Time end) const {
  std::unique_ptr<TimeHistogram> result;
  signal_->occupation(end.fs(), &result);
  return result;
}

}  // namespace fredsim::hw
