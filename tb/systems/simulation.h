#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <ostream>
#include <string>

#include "hw/core/records.h"
#include "hw/observe/timeline.h"
#include "hw/observe/waveform_options.h"
#include "tb/configuration/configuration.h"
#include "tb/systems/factories.h"
#include "tb/systems/result.h"
#include "tb/systems/system.h"

namespace fredsim::tb {

struct SimulationOptions {
  bool data = true;                             ///< false: timing only, nothing is verified
  bool monitors = false;                        ///< check the packet protocol on every link
  std::optional<hw::Time> until;                ///< stop at this simulated time
  std::optional<hw::WaveformOptions> waveform;  ///< its event `on` may be op:ID, stall or wrong-data
  std::optional<hw::Time> stall_limit;          ///< the event stall: something has waited longer than this
  /// Not null: a CSV of link use, occupancy and stalls for each `interval` (above 0), see Intervals.
  std::ostream* intervals = nullptr;
  hw::Time interval;
  bool histograms = false;           ///< keep how long buffers stood at which level
  hw::Timeline* timeline = nullptr;  ///< not null: what took place when is kept there
  /// False: reductions are not kept in one order, and can deadlock. Only for showing that they do.
  bool keep_order = true;
  /// Called now and then with the share of the workload's data that has been delivered, 0 to 1.
  std::function<void(double)> progress;
};

/// Replays one workload on the system of one configuration. SystemC allows one a process.
class Simulation {
 public:
  /// Plans and elaborates. Throws InputError for a workload the system cannot run, for a waveform that cannot
  /// be written, and for a micro-switch that the abstraction has no place for; no simulated time has passed
  /// then.
  Simulation(const Configuration& configuration, hw::Workload workload, const SimulationOptions& options = {},
             const Factories& factories = {});
  ~Simulation();
  Simulation(const Simulation&) = delete;
  Simulation& operator=(const Simulation&) = delete;

  /// The elaborated modules, for testbenches that bind to their analysis ports before run().
  const System& system() const;

  /// Runs until the traffic has ended, hangs, or reaches options.until, and gathers the results, which refer
  /// to this object. Throws InternalError when the model contradicts itself.
  const Result& run();

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace fredsim::tb
