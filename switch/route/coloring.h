#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "switch/route/conflict_graph.h"
#include "switch/route/structure.h"

namespace fredsim::sw {

/// A set of flows of one switch, a bit each. There are never more flows than ports, so 64 bits do.
using FlowSet = std::uint64_t;

/// Counts the steps of a search and ends it at a limit.
class StepCounter {
 public:
  struct LimitReached {};

  explicit StepCounter(std::uint64_t limit) : limit_(limit) {}
  /// Throws LimitReached.
  void step() {
    if (steps_ == limit_) throw LimitReached();
    ++steps_;
  }
  std::uint64_t steps() const { return steps_; }

 private:
  std::uint64_t limit_;
  std::uint64_t steps_ = 0;
};

/// The complete search for colors of the flows of one switch, such that no nogood is of one color. A nogood
/// is a set of flows that cannot share a middle switch: at first the edges of the conflict graph, then also
/// every set that a level below refused.
///
/// It goes depth first, the flow with the fewest colors left first (DSATUR), flows that always find one last.
/// Colors not yet in use are alike, so only one of them is tried. At a dead end it returns to the latest flow
/// to blame for it (conflict-directed backjumping), so that parts of the switch that do not touch each other
/// are not searched again and again.
class Coloring {
 public:
  /// Given a color for each flow, the nogoods that it violates below this level; none accepts it.
  using Check = std::function<std::vector<FlowSet>(const std::vector<std::uint8_t>& colors)>;

  /// `halved` has what `halve` says of each flow.
  Coloring(const std::vector<FlowPorts>& halved, std::uint32_t colors, StepCounter& steps);

  /// Finds accepted colors, or returns false when there are none.
  bool search(const Check& check);

  /// After search() was true: the color of each flow.
  const std::vector<std::uint8_t>& colors() const { return colors_; }
  /// After search() was false: flows that, on their own, have no accepted colors either.
  FlowSet core() const { return core_; }

 private:
  static constexpr std::uint8_t none_ = UINT8_MAX;

  struct Nogood {
    std::vector<std::uint8_t> flows;
    std::array<std::uint8_t, max_middle> of_color{};  ///< how many of the flows have each color
    std::uint8_t different = 0;                       ///< how many colors its flows have
    std::uint8_t colored = 0;                         ///< how many of its flows have one

    /// Neither fulfilled by two colors nor down to one flow, which then has lost a color for it.
    bool undecided() const { return different <= 1 && colored + 1u < flows.size(); }
  };
  /// Why the colors given so far cannot be completed.
  struct DeadEnd {
    FlowSet blame = 0;     ///< colored flows whose colors exclude it
    FlowSet involved = 0;  ///< all flows that the proof speaks of
  };

  std::optional<DeadEnd> extend(const Check& check);
  /// The flow to color next, absent when all have a color: one that has a single color left or none, else the
  /// one with the fewest left among those that are not easy, else the last of the easy ones.
  std::optional<std::uint8_t> next_flow() const;
  /// Flows that find a color on this level however the flows outside `order` and those after them in `order`
  /// are colored: there are fewer nogoods that could cost them a color than they have colors left.
  FlowSet easy_flows(FlowSet uncolored, const std::array<std::uint32_t, max_ports>& lost,
                     std::vector<std::uint8_t>& order) const;
  std::vector<std::uint8_t> colors_to_try(std::uint8_t flow) const;
  void assign(std::uint8_t flow, std::uint8_t color);
  void unassign(std::uint8_t flow);
  void learn(FlowSet flows);
  FlowSet reason(std::uint8_t flow, std::uint8_t color) const;
  /// The one flow of a nogood that has not `color`.
  std::uint8_t odd_one(const Nogood& nogood, std::uint8_t color) const;

  const std::vector<FlowPorts>& halved_;
  std::uint32_t color_count_;
  StepCounter& steps_;
  std::vector<Nogood> nogoods_;
  std::vector<std::vector<std::uint32_t>> nogoods_of_;  ///< for each flow
  std::vector<std::uint8_t> colors_;
  /// For each flow and color: how many nogoods would be of that one color if the flow took it.
  std::vector<std::array<std::uint32_t, max_middle>> blocked_;
  std::array<std::uint32_t, max_middle> color_size_{};
  std::vector<FlowPorts> quartered_;  ///< the micro-switches of the flows in the middle switch
  FlowSet core_ = 0;
};

}  // namespace fredsim::sw
