#include "fpga_agg/schedule/topology.h"

#include <fmt/format.h>

#include <algorithm>

#include "fpga_agg/schedule/paths.h"
#include "fpga_agg/schedule/topology_builder.h"
#include "hw/core/error.h"
#include "hw/core/nearest.h"

namespace fredsim::agg {
namespace {

/// A name stands in messages, in JSON and in the names of modules.
bool is_name(const std::string& name) {
  const auto letter = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '-';
  };
  return !name.empty() && name.size() <= 32 && std::all_of(name.begin(), name.end(), letter);
}

std::string shown(const std::string& name) {
  std::string text = name.substr(0, 32);
  for (char& c : text) {
    if (static_cast<unsigned char>(c) < ' ' || c == 0x7f) c = '?';
  }
  return text;
}

}  // namespace

hw::Bandwidth Topology::access_bandwidth(std::uint32_t site) const {
  if (access[site]) return *access[site];
  hw::Bandwidth fastest;
  for (const WanLink& link : links) {
    if ((link.from == site || link.to == site) && fastest < link.bandwidth) fastest = link.bandwidth;
  }
  return fastest;
}

std::string Topology::link_name(std::uint32_t link) const {
  return nodes[links[link].from] + ">" + nodes[links[link].to];
}

std::uint32_t Topology::site(const std::string& wanted) const {
  const std::vector<std::string> names = site_names();
  const auto found = std::find(names.begin(), names.end(), wanted);
  if (found != names.end()) return static_cast<std::uint32_t>(found - names.begin());
  throw hw::InputError(
      fmt::format("no site is named '{}'{}", shown(wanted), hw::did_you_mean(shown(wanted), names)));
}

std::vector<std::string> Topology::site_names() const {
  return {nodes.begin(), nodes.begin() + site_count};
}

Topology Topology::with_bandwidth(hw::Bandwidth bandwidth) const {
  Topology result = *this;
  for (WanLink& link : result.links) link.bandwidth = bandwidth;
  for (auto& line : result.access) line = bandwidth;
  return result;
}

std::uint32_t TopologyBuilder::add_node(const std::string& place, const std::string& name) {
  if (!is_name(name)) {
    throw hw::InputError(
        fmt::format("{}: '{}' is no name of a node: 1 to 32 letters, digits, '-' and '_' are allowed", place,
                    shown(name)));
  }
  const auto number = static_cast<std::uint32_t>(topology_.nodes.size());
  if (!numbers_.emplace(name, number).second) {
    throw hw::InputError(fmt::format("{}: {} is named twice", place, name));
  }
  if (number == max_nodes) {
    throw hw::InputError(fmt::format("{}: more than {} nodes", place, max_nodes));
  }
  topology_.nodes.push_back(name);
  return number;
}

void TopologyBuilder::add_site(const std::string& place, const std::string& name,
                               std::optional<hw::Bandwidth> access) {
  add_node(place, name);
  if (topology_.site_count == max_sites) {
    throw hw::InputError(fmt::format("{}: more than {} sites", place, max_sites));
  }
  ++topology_.site_count;
  topology_.access.push_back(access);
}

void TopologyBuilder::add_router(const std::string& place, const std::string& name) {
  add_node(place, name);
}

std::uint32_t TopologyBuilder::node(const std::string& place, const std::string& name) const {
  const auto found = numbers_.find(name);
  if (found != numbers_.end()) return found->second;
  throw hw::InputError(fmt::format("{}: no site or router is named '{}'{}", place, shown(name),
                                   hw::did_you_mean(shown(name), topology_.nodes)));
}

void TopologyBuilder::add_link(const std::string& place, const WanLink& link, bool both_ways) {
  const auto add = [&](const WanLink& one) {
    const auto [found, added] = linked_.emplace(std::make_pair(one.from, one.to), place);
    if (!added) {
      throw hw::InputError(fmt::format("{}: the link from {} to {} is given before at {}", place,
                                       topology_.nodes[one.from], topology_.nodes[one.to], found->second));
    }
    topology_.links.push_back(one);
  };
  if (link.from == link.to) {
    throw hw::InputError(fmt::format("{}: a link from {} to itself", place, topology_.nodes[link.from]));
  }
  // Half an hour: sums along paths and over rounds then stay far inside the range of time.
  if (link.latency > hw::Time::fs(1'800'000'000'000'000'000)) {
    throw hw::InputError(
        fmt::format("{}: latency {}: up to 1800 s is allowed", place, to_string(link.latency)));
  }
  add(link);
  if (!both_ways) return;
  WanLink back = link;
  std::swap(back.from, back.to);
  add(back);
}

Topology TopologyBuilder::finish() {
  if (topology_.site_count < 2) {
    throw hw::InputError(fmt::format("{}: {} sites; a topology has 2 to {}", topology_.source,
                                     topology_.site_count, max_sites));
  }
  const ShortestPaths paths(topology_);
  for (std::uint32_t from = 0; from < topology_.site_count; ++from) {
    for (std::uint32_t to = 0; to < topology_.site_count; ++to) {
      if (!paths.reaches(from, to)) {
        throw hw::InputError(fmt::format("{}: no way leads from {} to {}", topology_.source,
                                         topology_.nodes[from], topology_.nodes[to]));
      }
    }
  }
  return std::move(topology_);
}

}  // namespace fredsim::agg
