#pragma once

#include <string>
#include <vector>

#include "hw/core/quantity.h"
#include "hw/observe/timeline.h"
#include "tb/timeline/timeline_events.h"

namespace fredsim::tb {

/// A timeline in the Trace Event Format (JSON) that Perfetto and chrome://tracing load: a process a module, a
/// thread a row, a complete event a bar; times in microseconds to the femtosecond. docs/08-reports.md says
/// what is in it.
std::string timeline_json(const hw::Timeline& timeline, hw::Time end);
/// The same of events.
std::string timeline_json(const std::vector<TimelineEvent>& events, hw::Time end);

}  // namespace fredsim::tb
