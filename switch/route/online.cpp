#include "switch/route/online.h"

#include <fmt/format.h>

#include <algorithm>

#include "hw/core/error.h"

namespace fredsim::sw {

OnlineRouter::OnlineRouter(const Structure& structure)
    : middle_(structure.middle()),
      levels_(structure.levels()),
      held_(structure.ports()),
      output_of_(structure.ports(), closed_),
      input_of_(structure.ports(), closed_) {
  std::uint32_t offset = 0;
  std::uint32_t switches = 1;
  for (std::uint32_t level = 0; level < levels_; ++level) {
    const std::uint32_t width = (structure.ports_at(level) + 1) / 2;
    level_offset_.push_back(offset);
    level_width_.push_back(width);
    offset += switches * width;
    switches *= middle_;
  }
  input_wires_.resize(offset);
  output_wires_.resize(offset);
  for (Route& route : held_) route.colors.resize(levels_);
}

const Route* OnlineRouter::open(hw::PortId in, hw::PortId out) {
  if (in.value >= held_.size() || out.value >= held_.size()) {
    throw hw::InternalError(fmt::format("unicast from port {} to port {} of a switch of {} ports", in.value,
                                        out.value, held_.size()));
  }
  if (!input_free(in) || !output_free(out)) {
    throw hw::InternalError(
        fmt::format("unicast from port {} to port {} while one of them is held", in.value, out.value));
  }
  Route& route = held_[in.value];
  if (!find(0, 0, in.value, out.value, route)) return nullptr;
  output_of_[in.value] = out.value;
  input_of_[out.value] = in.value;
  flip(in.value, out.value, route);
  ++open_count_;
  return &route;
}

void OnlineRouter::close(hw::PortId in) {
  if (in.value >= held_.size() || input_free(in)) {
    throw hw::InternalError(fmt::format("no unicast is open from port {}", in.value));
  }
  const std::uint32_t out = output_of_[in.value];
  flip(in.value, out, held_[in.value]);
  output_of_[in.value] = closed_;
  input_of_[out] = closed_;
  --open_count_;
}

bool OnlineRouter::find(std::uint32_t level, std::uint32_t node, std::uint32_t in, std::uint32_t out,
                        Route& route) const {
  if (level == levels_) return true;
  const std::uint32_t used = input_wires_[slot(level, node, in)] | output_wires_[slot(level, node, out)];
  for (std::uint32_t color = 0; color < middle_; ++color) {
    if ((used >> color & 1) != 0) continue;
    route.colors[level] = static_cast<std::uint8_t>(color);
    // Below m = 3 a level further down may be blocked, then another middle switch is tried.
    if (find(level + 1, node * middle_ + color, in / 2, out / 2, route)) return true;
  }
  return false;
}

void OnlineRouter::flip(std::uint32_t in, std::uint32_t out, const Route& route) {
  std::uint32_t node = 0;
  for (std::uint32_t level = 0; level < levels_; ++level) {
    const std::uint32_t color = route.colors[level];
    const auto wire = static_cast<std::uint8_t>(1u << color);
    input_wires_[slot(level, node, in)] ^= wire;
    output_wires_[slot(level, node, out)] ^= wire;
    node = node * middle_ + color;
    in /= 2;
    out /= 2;
  }
}

std::uint32_t OnlineRouter::slot(std::uint32_t level, std::uint32_t node, std::uint32_t port) const {
  return level_offset_[level] + node * level_width_[level] + port / 2;
}

}  // namespace fredsim::sw
