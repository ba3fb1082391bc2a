#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "hw/core/quantity.h"
#include "hw/observe/timeline.h"

namespace fredsim::tb {

/// One bar of a timeline.
struct TimelineEvent {
  std::string place;  ///< the module
  std::string row;    ///< what of it; bars of one row do not overlap
  std::string name;
  std::string category;
  hw::Time begin;
  hw::Time end;
  bool ended = true;  ///< false: it still went on at the end of the run
};

/// The bars of a run that ended at `end`, by place (NPUs first), row and time. Spans of a row that overlap go
/// to further rows, "dp 2". Every NPU with operations has a row "exposed" too: when it did not compute while
/// communication was under way, by the first kind under way, as results count it.
std::vector<TimelineEvent> timeline_events(const hw::Timeline& timeline, hw::Time end);

/// Puts events that overlap in a row into further rows, and all in order; places that `places` names come in
/// its order.
void arrange(std::vector<TimelineEvent>& events, const std::vector<std::string>& places = {});

}  // namespace fredsim::tb
