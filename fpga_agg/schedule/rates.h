#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "fpga_agg/schedule/paths.h"
#include "fpga_agg/schedule/round.h"
#include "fpga_agg/schedule/topology.h"

namespace fredsim::agg {

enum class Contention : std::uint8_t {
  access_only,  ///< streams meet nowhere but on the sites' own lines; a link's rate still bounds each stream
  all_links,    ///< streams share the links they cross
};

/// Where streams are copied and added up.
struct Copies {
  bool multicast = true;  ///< the network copies; else a source sends one to each of the others
  bool aggregate = true;  ///< aggregators add before the site's line; else it carries one from each of them
};

/// At what rate every source of a clique sends, and what holds it to that.
struct CliqueRate {
  double bytes_per_s = 0;
  std::string limit;  ///< "access of NYC", "link LON>SIN" or "memory"
};

/// The rates of the cliques of a round, for cliques of one site 0. All sources of a clique send at one rate,
/// since the slowest decides when a sum is complete. A source's packets cross each link of its tree once, or
/// without multicast once for each site they go to.
/// `caps` (bytes/s, by clique) is what the aggregators' memory allows. With `all_links` the rates are max-min
/// fair: all grow together until a link is full, whose cliques then stay while the others grow on.
std::vector<CliqueRate> clique_rates(const Topology& topology, const ShortestPaths& paths, const Round& round,
                                     Contention contention, const std::vector<double>& caps,
                                     Copies copies = {});

}  // namespace fredsim::agg
