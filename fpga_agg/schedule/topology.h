#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "hw/core/quantity.h"

namespace fredsim::agg {

/// The most sites a schedule can have.
constexpr std::uint32_t max_sites = 64;
/// The most nodes of a topology, routers without a site included.
constexpr std::uint32_t max_nodes = 256;

/// One direction of a line between two nodes.
struct WanLink {
  std::uint32_t from = 0;
  std::uint32_t to = 0;
  hw::Time latency;  ///< one way
  hw::Bandwidth bandwidth;
  std::string source;  ///< where the numbers come from, in words; may be empty
};

/// Sites and the network between them. Nodes are numbered, the sites first: node s < sites() is site s.
struct Topology {
  std::string name;
  std::string source;                                ///< the file, for messages
  std::uint32_t site_count = 0;                      ///< nodes with accelerators and an aggregator
  std::vector<std::string> nodes;                    ///< names, each different
  std::vector<std::optional<hw::Bandwidth>> access;  ///< by site: of the line to its router, where given
  std::vector<WanLink> links;                        ///< the two directions of a line follow each other

  /// Of the line between a site and its router: as given, else that of the fastest link at its node.
  hw::Bandwidth access_bandwidth(std::uint32_t site) const;
  /// "NYC>LON".
  std::string link_name(std::uint32_t link) const;
  /// The number of the site with the name `wanted`. Throws InputError, without a place, with the nearest
  /// name.
  std::uint32_t site(const std::string& wanted) const;
  std::vector<std::string> site_names() const;
  /// Every link and access line at `bandwidth`.
  Topology with_bandwidth(hw::Bandwidth bandwidth) const;
};

/// Read the YAML or (by its name's ending, .csv) CSV file at `path`. Throws InputError with file, line and
/// column for what it does not understand, and for a topology that has not 2 to max_sites sites, a link to an
/// unknown node, of a node to itself or given twice, or a site that another one cannot reach.
///
/// YAML: `name` (optional), `sites`, a list of names or of {name, access}, `routers` (optional), a list of
/// names, and `links`, a list of {from, to, latency, bandwidth, source, directed}: `source` in words and
/// `directed` (true: only in the direction from-to) may be left out.
/// CSV: a header line with the columns from, to, one_way_ms or latency, bandwidth_gbps or bandwidth, and
/// (optional) basis or source; the first of such a pair is a bare number, the second has a unit. Every node
/// is a site, in the order of appearance.
Topology load_topology(const std::string& path);

/// The same from text; `name` stands for the file in messages.
Topology parse_topology_yaml(const std::string& text, const std::string& name);
Topology parse_topology_csv(const std::string& text, const std::string& name);

}  // namespace fredsim::agg
