#include "switch/route/complete_search.h"

#include <algorithm>

namespace fredsim::sw {
namespace {

/// The flows of one color, as their middle switch sees them.
struct MiddleSwitch {
  std::vector<std::uint8_t> flows;  ///< which flows of the switch around it, in the order of `ports`
  std::vector<FlowPorts> ports;     ///< ascending, so that equal sets are found again
};

MiddleSwitch middle_switch(const std::vector<FlowPorts>& halved, const std::vector<std::uint8_t>& colors,
                           std::uint8_t color) {
  MiddleSwitch result;
  for (std::uint8_t flow = 0; flow < colors.size(); ++flow) {
    if (colors[flow] == color) result.flows.push_back(flow);
  }
  std::sort(result.flows.begin(), result.flows.end(),
            [&](std::uint8_t a, std::uint8_t b) { return halved[a] < halved[b]; });
  for (const std::uint8_t flow : result.flows) result.ports.push_back(halved[flow]);
  return result;
}

/// The same coloring with the colors numbered as they first appear. Middle switches are alike.
std::vector<std::uint8_t> in_order(std::vector<std::uint8_t> colors) {
  std::map<std::uint8_t, std::uint8_t> number;
  for (std::uint8_t& color : colors) {
    color = number.try_emplace(color, static_cast<std::uint8_t>(number.size())).first->second;
  }
  return colors;
}

}  // namespace

CompleteSearch::CompleteSearch(std::uint32_t middle, std::uint32_t levels, std::uint64_t step_limit)
    : middle_(middle), levels_(levels), steps_(step_limit), known_(levels + 1) {}

const CompleteSearch::Result& CompleteSearch::solve(std::uint32_t level,
                                                    const std::vector<FlowPorts>& flows) {
  const auto known = known_[level].find(flows);
  if (known != known_[level].end()) return known->second;
  return known_[level].emplace(flows, search(level, flows)).first->second;
}

CompleteSearch::Result CompleteSearch::search(std::uint32_t level, const std::vector<FlowPorts>& flows) {
  Result result;
  if (level == levels_ || flows.size() <= 1) {
    // An RD-micro-switch routes any flows with ports of their own, and any switch a flow that is alone.
    result.routable = true;
    result.routes.resize(flows.size());
    for (Route& route : result.routes) route.colors.resize(levels_ - level);
    return result;
  }

  steps_.step();
  std::vector<FlowPorts> halved;
  for (const FlowPorts flow : flows) halved.push_back(halve(flow));

  const auto refused_below = [&](const std::vector<std::uint8_t>& colors) {
    std::vector<FlowSet> refused;
    for (std::uint8_t color = 0; color < middle_; ++color) {
      const MiddleSwitch middle = middle_switch(halved, colors, color);
      const Result& below = solve(level + 1, middle.ports);
      if (below.routable) continue;
      FlowSet core = 0;
      for (std::size_t i = 0; i < middle.flows.size(); ++i) {
        if ((below.core >> i & 1) != 0) core |= FlowSet{1} << middle.flows[i];
      }
      refused.push_back(core);
    }
    return refused;
  };

  Coloring coloring(halved, middle_, steps_);
  result.routable = coloring.search(refused_below);
  if (!result.routable) {
    result.core = coloring.core();
    return result;
  }
  const std::vector<std::uint8_t> colors = in_order(coloring.colors());
  result.routes.resize(flows.size());
  for (std::uint8_t color = 0; color < middle_; ++color) {
    const MiddleSwitch middle = middle_switch(halved, colors, color);
    const Result& below = solve(level + 1, middle.ports);
    for (std::size_t i = 0; i < middle.flows.size(); ++i) {
      Route& route = result.routes[middle.flows[i]];
      route.colors.push_back(color);
      route.colors.insert(route.colors.end(), below.routes[i].colors.begin(), below.routes[i].colors.end());
    }
  }
  return result;
}

}  // namespace fredsim::sw
