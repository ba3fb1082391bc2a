#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "hw/observe/waveform_options.h"
#include "tb/configuration/configuration.h"
#include "tb/wan/wan_plan.h"
#include "tb/wan/wan_result.h"

namespace fredsim::tb {

class WanSystem;

struct WanOptions {
  bool data = true;               ///< false: timing only, nothing is verified
  bool histograms = false;        ///< keep how long slot memories stood at which level
  std::optional<hw::Time> until;  ///< stop at this simulated time
  std::optional<hw::WaveformOptions> waveform;
};

/// Replays a schedule on a WAN. SystemC allows one simulation a process.
class WanSimulation {
 public:
  WanSimulation(const Configuration& configuration, WanPlan plan, const WanOptions& options = {});
  ~WanSimulation();
  WanSimulation(const WanSimulation&) = delete;
  WanSimulation& operator=(const WanSimulation&) = delete;

  WanSystem& system();
  /// Runs until all rounds are over, nothing moves any more, or options.until.
  const WanResult& run();
  const hw::WaveformSummary& waveform() const;

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace fredsim::tb
