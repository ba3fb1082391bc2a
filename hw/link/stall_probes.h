#pragma once

#include <array>
#include <string>
#include <vector>

#include "hw/core/quantity.h"
#include "hw/core/records.h"
#include "hw/observe/probe.h"
#include "hw/observe/recorder.h"

namespace fredsim::hw {

/// Shows, in waveforms only, what the first packet of each channel of an output waits for. Later statements
/// about an instant replace earlier ones, so that what is foreseen can be corrected when it comes otherwise.
class StallProbes {
 public:
  enum class State : std::uint8_t { none, link_busy, no_credit };

  /// `path` is that of the port.
  StallProbes(Recorder& recorder, const std::string& path);

  /// From `at` (now or later) on. The caller has looked whether the recorder records.
  void set(VirtualChannel vc, Time at, State state) {
    Probe& probe = probes_[index(vc)];
    if (probe.recorded()) probe.set(at, states_[static_cast<std::size_t>(state)]);
  }

 private:
  std::vector<Probe> probes_;  ///< by channel
  std::array<std::int64_t, 3> states_{};
};

}  // namespace fredsim::hw
