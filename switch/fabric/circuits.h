#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <map>
#include <utility>
#include <vector>

#include "switch/fabric/interconnect.h"
#include "switch/fabric/switch_plan.h"
#include "switch/route/online.h"

namespace fredsim::sw {

/// The circuits that lead a switch's flows through its interconnect. All flows with the same ports and the
/// same route have one circuit in each route set that has the route: the flow passes in whichever of them is
/// served. The unicasts of route set 0 are laid as they come.
class Circuits {
 public:
  /// All arguments must outlive it.
  Circuits(const Structure& structure, const SwitchPlan& plan, Interconnect& interconnect);

  /// Flows are numbered from 0 in the order in which they are added; all are added before a unicast is
  /// opened.
  void add(const SwitchFlow& flow);

  /// The route set in which a flow would fire now: `served` if that has the flow's route, else its own.
  std::uint32_t route_set_of(std::size_t flow, std::uint32_t served) const;
  /// Of a flow in a route set (not 0) that has its route.
  CircuitId circuit(std::size_t flow, std::uint32_t route_set) const {
    return circuits_[places_[flow].laid][route_set];
  }

  /// Lays and holds a path for a unicast of route set 0, or says that every path is blocked.
  bool open(const PortFlow& unicast);
  /// Of the unicast that holds a path from `in`.
  CircuitId online_circuit(hw::PortId in) const { return laid_circuits_ + in.value; }
  bool is_open(hw::PortId in) const { return !online_.input_free(in); }
  bool any_open() const { return online_.open_count() > 0; }
  void close(hw::PortId in) { online_.close(in); }

 private:
  static constexpr CircuitId none = std::numeric_limits<CircuitId>::max();
  struct Place {
    std::uint32_t home = 0;  ///< the flow's own route set
    std::size_t laid = 0;    ///< index into circuits_; in route set 0 meaningless
  };
  struct Online {
    std::uint32_t output = UINT32_MAX;
    Route route;
  };

  const SwitchPlan& plan_;
  Interconnect& interconnect_;
  OnlineRouter online_;
  std::vector<Place> places_;                                   ///< by flow
  std::map<std::pair<PortFlow, PortFlow>, std::size_t> known_;  ///< routed ports, ports: circuits_
  std::vector<std::vector<CircuitId>> circuits_;                ///< by route set
  CircuitId laid_circuits_ = 0;
  std::vector<Online> online_at_;  ///< by input port: where its online circuit leads
};

}  // namespace fredsim::sw
