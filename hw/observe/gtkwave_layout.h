#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "hw/core/quantity.h"
#include "hw/observe/signal.h"

namespace fredsim::hw {

/// The text of a GTKWave save file that shows `signals` of the dump `dump_name` from `from` to `to` with the
/// marker at `marker`. Both names are without folders: GTKWave looks for the dump beside the layout, so the
/// two can be moved together. A group for each first scope and, in it, for each second one; a signal's line
/// names the rest of its path and its unit. Levels are drawn as steps to their own scale, numbers signed
/// decimal, flags binary, states as text. Groups are open as far as a screen holds them, the first one
/// always.
std::string gtkwave_layout(std::string_view dump_name, std::string_view layout_name,
                           const std::vector<const ProbeInfo*>& signals, Time from, Time to, Time marker);

}  // namespace fredsim::hw
