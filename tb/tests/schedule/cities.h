#pragma once

#include <string>
#include <vector>

#include "fpga_agg/schedule/round.h"
#include "fpga_agg/schedule/topology.h"

namespace fredsim::agg::test {

inline Topology nine_cities() {
  return load_topology(FREDSIM_SOURCE_DIR "/tb/configs/nine_city.yaml");
}

/// By names, "NYC CHI LAX".
inline Clique clique(const Topology& topology, const std::string& names) {
  Clique result;
  for (std::size_t at = 0; at < names.size(); at += 4) result.push_back(topology.site(names.substr(at, 3)));
  return result;
}

inline Round named(const Topology& topology, const std::vector<std::string>& cliques) {
  Round round;
  for (const std::string& names : cliques) round.push_back(clique(topology, names));
  return normalized(round, topology.site_count);
}

inline Round regions(const Topology& t) {
  return named(t, {"NYC CHI LAX", "LON FRA AMS", "TYO SEO SIN"});
}
inline Round across_regions(const Topology& t) {
  return named(t, {"NYC LON SIN", "CHI FRA TYO", "LAX AMS SEO"});
}
inline Round all_nine(const Topology& t) {
  return named(t, {"NYC CHI LAX LON FRA AMS TYO SEO SIN"});
}

/// A full mesh of sites A, B, ... with these one-way latencies in ms, given above the diagonal row by row.
inline Topology mesh(std::uint32_t sites, const std::vector<std::string>& latencies_ms,
                     const std::string& bandwidth = "10 Gb/s") {
  std::string text = "sites: [";
  for (std::uint32_t i = 0; i < sites; ++i)
    text += std::string(i > 0 ? ", " : "") + static_cast<char>('A' + i);
  text += "]\nlinks:\n";
  std::size_t next = 0;
  for (std::uint32_t i = 0; i < sites; ++i) {
    for (std::uint32_t j = i + 1; j < sites; ++j) {
      text += std::string("  - {from: ") + static_cast<char>('A' + i) +
              ", to: " + static_cast<char>('A' + j) + ", latency: " + latencies_ms[next++] +
              " ms, bandwidth: " + bandwidth + "}\n";
    }
  }
  return parse_topology_yaml(text, "mesh.yaml");
}

}  // namespace fredsim::agg::test
