#include "hw/observe/timeline.h"

#include <fmt/format.h>

#include "hw/core/error.h"
#include "hw/core/nearest.h"
#include "hw/observe/glob.h"

namespace fredsim::hw {

std::uint32_t Timeline::name(std::string_view text) {
  const auto [entry, is_new] =
      numbers_.emplace(std::string(text), static_cast<std::uint32_t>(numbers_.size()));
  if (is_new) texts_.push_back(&entry->first);
  return entry->second;
}

std::size_t Timeline::begin(Kind kind, std::uint32_t place, std::uint32_t row, std::uint32_t name, Time at) {
  spans_.push_back({place, row, name, kind, false, at, at});
  return spans_.size() - 1;
}

void Timeline::end(std::size_t span, Time at) {
  spans_.at(span).ended = true;
  spans_[span].end = at;
}

void Timeline::add(Kind kind, std::uint32_t place, std::uint32_t row, std::uint32_t name, Time begin,
                   Time end) {
  spans_.push_back({place, row, name, kind, true, begin, end});
}

void Timeline::set_flows(const std::vector<std::string>& names) {
  chosen_.assign(names.size(), none);
  for (const std::string& glob : options_.flows) {
    bool any = false;
    for (std::size_t f = 0; f < names.size(); ++f) {
      if (!glob_matches(glob, names[f])) continue;
      any = true;
      chosen_[f] = name(names[f]);
    }
    if (any) continue;
    throw InputError(
        fmt::format("--timeline-flow {}: no flow has such a name{}; the result file names all "
                    "flows under \"flows\"",
                    glob, did_you_mean(glob, names)));
  }
}

void Timeline::keep_packet(std::uint32_t flow, std::string_view place, std::uint64_t sequence, Time begin,
                           Time end) {
  add(Kind::packet, name(place), chosen_[flow], name(fmt::format("packet {}", sequence)), begin, end);
}

}  // namespace fredsim::hw
