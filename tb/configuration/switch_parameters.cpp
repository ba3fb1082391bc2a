#include <fmt/format.h>

#include <string>

#include "switch/route/structure.h"
#include "tb/configuration/declaration.h"
#include "tb/configuration/parameter_groups.h"

namespace fredsim::tb {
namespace {

const std::string ports_requirement =
    fmt::format("with {} to {} ports at every switch", sw::min_ports, sw::max_ports);

/// The key of the highest bandwidth that a port of the system has, the first of equals.
std::string fastest_link(const Configuration& c) {
  std::string key = "link.npu_bandwidth";
  hw::Bandwidth fastest = c.npu_link().bandwidth;
  const auto compare = [&](const LinkConfiguration& link, const std::string& its_key) {
    if (!(fastest < link.bandwidth)) return;
    fastest = link.bandwidth;
    key = its_key;
  };
  for (std::uint32_t level = 2; level <= c.levels(); ++level) {
    compare(c.link_up_to(level), at_level("link.lK.plane_bandwidth", level));
  }
  if (c.system == SystemKind::tree && c.tree.io_controllers > 0) compare(c.io_link(), "link.io_bandwidth");
  return key;
}

}  // namespace

void add_tree_parameters(ParameterList& list) {
  const std::string most = std::to_string(sw::max_ports);
  list.push_back(integer(
                     "tree.leaf_npus", [](auto& c) -> auto& { return c.tree.leaf_npus; })
                     .only_in(SystemKind::tree)
                     .unit("NPUs")
                     .range("1", most)
                     .defaults_to("4")
                     .requires_that(ports_requirement)
                     .means("NPUs at every switch of the first level.")
                     .source("FRED sec. 6, fig. 8"));
  list.push_back(integer(
                     "tree.levels", [](auto& c) -> auto& { return c.tree.levels; })
                     .only_in(SystemKind::tree)
                     .unit("levels")
                     .range("1", std::to_string(max_levels))
                     .defaults_to("2")
                     .means("Levels of switches, the root's included.")
                     .source("FRED sec. 6, fig. 8"));
  list.push_back(integer(
                     "tree.children", [](auto& c) -> auto& { return c.tree.common.children; })
                     .only_in(SystemKind::tree)
                     .unit("subtrees")
                     .range("1", most)
                     .defaults_to("5")
                     .requires_that(ports_requirement)
                     .means("Subtrees of the level below under a switch of level 2 and up: its down ports.")
                     .source("FRED sec. 6, fig. 8"));
  list.push_back(integer(
                     "tree.planes", [](auto& c) -> auto& { return c.tree.common.planes; })
                     .only_in(SystemKind::tree)
                     .unit("planes")
                     .range("1", most)
                     .defaults_to("4")
                     .requires_that(ports_requirement)
                     .means("Up ports of every switch below the root, each to a switch of its own.")
                     .source("FRED sec. 6, fig. 8"));
  list.push_back(integer(
                     "tree.io_controllers", [](auto& c) -> auto& { return c.tree.io_controllers; })
                     .only_in(SystemKind::tree)
                     .unit("controllers")
                     .range("0", std::to_string(sw::max_tree_size))
                     .defaults_to("18")
                     .requires_that(ports_requirement)
                     .means("I/O controllers in all, spread evenly over the switches of the first level.")
                     .source("FRED sec. 7.1"));
  list.push_back(integer(
                     "tree.lK.children",
                     [](auto& c, std::uint32_t level) -> auto& { return c.tree.upper[level - 1].children; })
                     .only_in(SystemKind::tree)
                     .levels(2, max_levels)
                     .unit("subtrees")
                     .range("1", most)
                     .defaults_from("tree.children")
                     .requires_that(ports_requirement)
                     .means("The same for the switches of level K only."));
  list.push_back(
      integer(
          "tree.lK.planes",
          [](auto& c, std::uint32_t level) -> auto& { return c.tree.upper[level - 1].planes; })
          .only_in(SystemKind::tree)
          .levels(2, max_levels)
          .unit("planes")
          .range("1", most)
          .defaults_from("tree.planes")
          .requires_that(ports_requirement)
          .means("Up ports of every switch of level K - 1, each to a switch of level K of its own."));
}

void add_switch_parameters(ParameterList& list) {
  list.push_back(
      integer(
          "switch.ports", [](auto& c) -> auto& { return c.sw.ports; })
          .unit("ports")
          .range("2", "64")
          .defaults_to("8")
          .only_in(SystemKind::single_switch)
          .means("Ports of the one switch of system: switch, the P of FRED_m(P), each with one NPU.")
          .source("free choice"));
  list.push_back(
      integer(
          "switch.middle", [](auto& c) -> auto& { return c.sw.middle; })
          .unit("switches")
          .range("2", "4")
          .defaults_to("3")
          .only_in(SystemKind::single_switch, SystemKind::tree)
          .means("Middle switches at every level of the recursion, the m of FRED_m(P): more of them route "
                 "more flows together.")
          .source("FRED sec. 5.3"));
  list.push_back(
      enumeration(
          "switch.abstraction", [](auto& c) -> auto& { return c.sw.abstraction; })
          .defaults_to("switch")
          .only_in(SystemKind::single_switch, SystemKind::tree)
          .means("Whether every micro-switch is a module (for waveforms and modules of your own) or the "
                 "switch is one module with the same routing, equal in results and faster.")
          .source("free choice"));
  list.push_back(time(
                     "switch.hop_latency", [](auto& c) -> auto& { return c.sw.hop_latency; })
                     .range("0 ns", "1 s")
                     .defaults_to("0.2 ns")
                     .only_in(SystemKind::single_switch, SystemKind::tree)
                     .means("Time a packet's head takes through one micro-switch.")
                     .source("assumed"));
  list.push_back(time(
                     "switch.reconfiguration", [](auto& c) -> auto& { return c.sw.reconfiguration; })
                     .range("0 ns", "1 s")
                     .defaults_to("0.2 ns")
                     .only_in(SystemKind::single_switch, SystemKind::tree)
                     .means("Time the switch takes to go from one route set to another.")
                     .source("assumed: the header names the route set, so its memory is read ahead"));
  list.push_back(
      boolean(
          "switch.preemption", [](auto& c) -> auto& { return c.sw.preemption; })
          .defaults_to("true")
          .only_in(SystemKind::single_switch, SystemKind::tree)
          .means("Whether the switch leaves the route set it serves as soon as all ports of a flow of a "
                 "higher class (MP > PP > DP) hold a packet.")
          .source("FRED sec. 5.4"));
  list.push_back(
      integer(
          "switch.staging", [](auto& c) -> auto& { return c.sw.staging; })
          .unit("packets")
          .range("1", "64")
          .defaults_to("3")
          .only_in(SystemKind::single_switch, SystemKind::tree)
          .means("Packets that each output port can hold per virtual channel between interconnect and link.")
          .source("assumed"));
  list.push_back(bandwidth(
                     "switch.internal_bandwidth", [](auto& c) -> auto& { return c.sw.internal_bandwidth; })
                     .range("1 MB/s", "1000 TB/s")
                     .defaults_from("the fastest link", fastest_link)
                     .only_in(SystemKind::single_switch, SystemKind::tree)
                     .means("Rate of a path through the interconnect, by default that of the fastest port.")
                     .source("assumed"));
  list.push_back(bytes(
                     "switch.route_memory", [](auto& c) -> auto& { return c.sw.route_memory; })
                     .range("0 B", "1 GiB")
                     .defaults_to("1.5 KiB")
                     .only_in(SystemKind::single_switch, SystemKind::tree)
                     .means("Memory of a switch for its route sets.")
                     .source("FRED sec. 6.2.3, its 1.5 KB read as KiB"));
  list.push_back(
      enumeration(
          "switch.route_miss", [](auto& c) -> auto& { return c.sw.route_miss; })
          .defaults_to("fail")
          .means("What happens to a workload that needs more route sets at a switch than its memory holds: "
                 "the run is refused (fail) or sets are loaded as they are served (reload).")
          .source("free choice"));
  list.push_back(
      bandwidth(
          "switch.route_load", [](auto& c) -> auto& { return c.sw.route_load; })
          .only_if([](const Configuration& c) { return c.sw.route_miss == RouteMiss::reload; },
                   "with switch.route_miss: fail; it belongs to switch.route_miss: reload")
          .range("1 MB/s", "1000 TB/s")
          .defaults_to("128 GB/s")
          .means("Rate at which a route set that is not in the route memory is loaded: a set of 336 bits "
                 "takes 0.33 ns at the default, a full memory of 1.5 KiB 12 ns.")
          .source("assumed: route sets come in as fast as over an I/O controller's link, FRED sec. 7.1"));
  list.push_back(
      enumeration(
          "switch.conflict", [](auto& c) -> auto& { return c.sw.conflict; })
          .defaults_to("block")
          .only_in(SystemKind::single_switch, SystemKind::tree)
          .means("What happens to flows that cannot be routed together: the run is refused (fail), they "
                 "take turns (block), or the members of the smaller groups carry out their collectives as "
                 "rings (decompose).")
          .source("FRED sec. 5.3"));
}

}  // namespace fredsim::tb
