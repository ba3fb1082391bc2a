#include "switch/route/coloring.h"

#include <algorithm>

namespace fredsim::sw {
namespace {

FlowSet bit(std::uint8_t flow) {
  return FlowSet{1} << flow;
}

}  // namespace

Coloring::Coloring(const std::vector<FlowPorts>& halved, std::uint32_t colors, StepCounter& steps)
    : halved_(halved),
      color_count_(colors),
      steps_(steps),
      nogoods_of_(halved.size()),
      colors_(halved.size(), none_),
      blocked_(halved.size()) {
  const ConflictGraph graph = conflict_graph(halved_);
  for (auto [edge, end] = boost::edges(graph); edge != end; ++edge) {
    learn(bit(static_cast<std::uint8_t>(boost::source(*edge, graph))) |
          bit(static_cast<std::uint8_t>(boost::target(*edge, graph))));
  }
  for (const FlowPorts ports : halved_) quartered_.push_back(halve(ports));
}

bool Coloring::search(const Check& check) {
  const std::optional<DeadEnd> dead_end = extend(check);
  if (dead_end) core_ = dead_end->involved;
  return !dead_end;
}

std::optional<Coloring::DeadEnd> Coloring::extend(const Check& check) {
  const std::optional<std::uint8_t> next = next_flow();
  if (!next) {
    const std::vector<FlowSet> refused = check(colors_);
    if (refused.empty()) return std::nullopt;
    for (const FlowSet flows : refused) learn(flows);
    return DeadEnd{refused.front(), refused.front()};
  }

  const std::uint8_t flow = *next;
  DeadEnd dead_end{0, bit(flow)};
  for (std::uint8_t color = 0; color < color_count_; ++color) {
    if (blocked_[flow][color] == 0) continue;
    const FlowSet others = reason(flow, color);
    dead_end.blame |= others;
    dead_end.involved |= others;
  }
  for (const std::uint8_t color : colors_to_try(flow)) {
    if (blocked_[flow][color] != 0) {  // by a nogood learned since
      const FlowSet others = reason(flow, color);
      dead_end.blame |= others;
      dead_end.involved |= others;
      continue;
    }
    steps_.step();
    assign(flow, color);
    const std::optional<DeadEnd> below = extend(check);
    if (!below) return std::nullopt;
    unassign(flow);
    // Another color for this flow would change nothing about that dead end.
    if ((below->blame & bit(flow)) == 0) return below;
    dead_end.blame |= below->blame & ~bit(flow);
    dead_end.involved |= below->involved;
  }
  return dead_end;
}

std::optional<std::uint8_t> Coloring::next_flow() const {
  std::array<std::uint32_t, max_ports> lost{};
  FlowSet left = 0;
  for (std::uint8_t flow = 0; flow < colors_.size(); ++flow) {
    if (colors_[flow] != none_) continue;
    for (std::uint32_t color = 0; color < color_count_; ++color) lost[flow] += blocked_[flow][color] != 0;
    if (lost[flow] + 1 >= color_count_) return flow;
    left |= bit(flow);
  }
  if (left == 0) return std::nullopt;

  std::vector<std::uint8_t> easy;
  const FlowSet hard = left & ~easy_flows(left, lost, easy);
  if (hard == 0) return easy.back();
  std::optional<std::uint8_t> best;
  std::pair<std::uint32_t, std::size_t> best_rank;
  for (std::uint8_t flow = 0; flow < colors_.size(); ++flow) {
    if ((hard & bit(flow)) == 0) continue;
    const std::pair<std::uint32_t, std::size_t> rank(lost[flow], nogoods_of_[flow].size());
    if (!best || rank > best_rank) {
      best = flow;
      best_rank = rank;
    }
  }
  return best;
}

FlowSet Coloring::easy_flows(FlowSet uncolored, const std::array<std::uint32_t, max_ports>& lost,
                             std::vector<std::uint8_t>& order) const {
  std::array<std::uint32_t, max_ports> threats{};  // nogoods that may still cost the flow a color
  std::vector<bool> threatens(nogoods_.size());
  for (std::size_t n = 0; n < nogoods_.size(); ++n) {
    threatens[n] = nogoods_[n].undecided();
    if (!threatens[n]) continue;
    for (const std::uint8_t flow : nogoods_[n].flows) ++threats[flow];
  }
  FlowSet easy = 0;
  const auto look_at = [&](std::uint8_t flow) {
    if ((uncolored & ~easy & bit(flow)) == 0 || lost[flow] + threats[flow] >= color_count_) return;
    easy |= bit(flow);
    order.push_back(flow);
  };
  for (std::uint8_t flow = 0; flow < colors_.size(); ++flow) look_at(flow);
  for (std::size_t i = 0; i < order.size(); ++i) {
    for (const std::uint32_t n : nogoods_of_[order[i]]) {
      if (!threatens[n]) continue;
      threatens[n] = false;
      for (const std::uint8_t other : nogoods_[n].flows) {
        --threats[other];
        look_at(other);
      }
    }
  }
  return easy;
}

std::vector<std::uint8_t> Coloring::colors_to_try(std::uint8_t flow) const {
  std::array<std::uint32_t, max_middle> cost{};
  for (std::uint8_t other = 0; other < colors_.size(); ++other) {
    if (colors_[other] != none_ && overlap(quartered_[flow], quartered_[other])) ++cost[colors_[other]];
  }
  std::vector<std::uint8_t> result;
  for (std::uint8_t color = 0; color < color_count_; ++color) {
    if (blocked_[flow][color] == 0) result.push_back(color);
    if (color_size_[color] == 0) break;  // the others that are not in use are like this one
  }
  // The middle switch where the flow meets the fewest others at the next level.
  std::stable_sort(result.begin(), result.end(),
                   [&](std::uint8_t a, std::uint8_t b) { return cost[a] < cost[b]; });
  return result;
}

void Coloring::assign(std::uint8_t flow, std::uint8_t color) {
  colors_[flow] = color;
  ++color_size_[color];
  for (const std::uint32_t n : nogoods_of_[flow]) {
    Nogood& nogood = nogoods_[n];
    ++nogood.colored;
    if (nogood.of_color[color] == 0) ++nogood.different;
    if (++nogood.of_color[color] + 1u == nogood.flows.size()) ++blocked_[odd_one(nogood, color)][color];
  }
}

void Coloring::unassign(std::uint8_t flow) {
  const std::uint8_t color = colors_[flow];
  for (const std::uint32_t n : nogoods_of_[flow]) {
    Nogood& nogood = nogoods_[n];
    const std::size_t same = nogood.of_color[color]--;
    if (same == 1) --nogood.different;
    --nogood.colored;
    if (same + 1 == nogood.flows.size()) --blocked_[odd_one(nogood, color)][color];
    if (same == nogood.flows.size()) ++blocked_[flow][color];  // learned while all had that color
  }
  colors_[flow] = none_;
  --color_size_[color];
}

void Coloring::learn(FlowSet flows) {
  Nogood nogood;
  const auto index = static_cast<std::uint32_t>(nogoods_.size());
  for (std::uint8_t flow = 0; flow < colors_.size(); ++flow) {
    if ((flows & bit(flow)) == 0) continue;
    nogood.flows.push_back(flow);
    nogoods_of_[flow].push_back(index);
    if (colors_[flow] == none_) continue;
    if (nogood.of_color[colors_[flow]]++ == 0) ++nogood.different;
    ++nogood.colored;
  }
  nogoods_.push_back(std::move(nogood));
}

FlowSet Coloring::reason(std::uint8_t flow, std::uint8_t color) const {
  for (const std::uint32_t n : nogoods_of_[flow]) {
    const Nogood& nogood = nogoods_[n];
    if (nogood.of_color[color] + 1u != nogood.flows.size() || odd_one(nogood, color) != flow) continue;
    FlowSet others = 0;
    for (const std::uint8_t other : nogood.flows) others |= bit(other);
    return others & ~bit(flow);
  }
  return 0;
}

std::uint8_t Coloring::odd_one(const Nogood& nogood, std::uint8_t color) const {
  return *std::find_if(nogood.flows.begin(), nogood.flows.end(),
                       [&](std::uint8_t flow) { return colors_[flow] != color; });
}

}  // namespace fredsim::sw
