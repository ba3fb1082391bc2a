#include "fpga_agg/schedule/paths.h"

#include <algorithm>
#include <boost/graph/adjacency_list.hpp>
#include <boost/graph/dijkstra_shortest_paths.hpp>
#include <limits>
#include <tuple>

#include "hw/core/error.h"

namespace fredsim::agg {
namespace {

/// Length of a path: latency first, then links.
struct Length {
  std::int64_t latency_fs = 0;
  std::uint32_t links = 0;
};
bool operator<(const Length& a, const Length& b) {
  return std::tie(a.latency_fs, a.links) < std::tie(b.latency_fs, b.links);
}
bool operator==(const Length& a, const Length& b) {
  return std::tie(a.latency_fs, a.links) == std::tie(b.latency_fs, b.links);
}
constexpr Length unreached{std::numeric_limits<std::int64_t>::max(), 0};

Length operator+(const Length& a, const Length& b) {
  if (a == unreached || b == unreached) return unreached;
  return {(hw::Time::fs(a.latency_fs) + hw::Time::fs(b.latency_fs)).fs(), a.links + b.links};
}

struct Edge {
  Length length;
};
using Graph = boost::adjacency_list<boost::vecS, boost::vecS, boost::directedS, boost::no_property, Edge>;

}  // namespace

ShortestPaths::ShortestPaths(const Topology& topology)
    : nodes_(static_cast<std::uint32_t>(topology.nodes.size())), links_(topology.links) {
  Graph graph(nodes_);
  for (const WanLink& link : links_) {
    boost::add_edge(link.from, link.to, Edge{{link.latency.fs(), 1}}, graph);
  }
  reached_.resize(std::size_t{nodes_} * nodes_);
  std::vector<Length> lengths(nodes_);
  for (std::uint32_t from = 0; from < nodes_; ++from) {
    boost::dijkstra_shortest_paths(graph, from,
                                   boost::weight_map(boost::get(&Edge::length, graph))
                                       .distance_map(boost::make_iterator_property_map(
                                           lengths.begin(), boost::get(boost::vertex_index, graph)))
                                       .distance_inf(unreached)
                                       .distance_zero(Length{})
                                       .distance_compare(std::less<Length>())
                                       .distance_combine(std::plus<Length>()));
    // The order of Boost's heap must not choose among equals.
    for (std::uint32_t link = 0; link < links_.size(); ++link) {
      const WanLink& l = links_[link];
      if (l.to == from || lengths[l.from] == unreached) continue;
      if (!(lengths[l.from] + Length{l.latency.fs(), 1} == lengths[l.to])) continue;
      Reached& to = reached_[from * nodes_ + l.to];
      if (to.last_link == none || l.from < links_[to.last_link].from) to.last_link = link;
      to.latency_fs = lengths[l.to].latency_fs;
    }
    for (std::uint32_t to = 0; to < nodes_; ++to) {
      if (to == from || at(from, to).last_link == none) continue;
      const std::vector<std::uint32_t> way = path(from, to);
      reached_[from * nodes_ + to].slowest_link = *std::min_element(
          way.begin(), way.end(),
          [this](std::uint32_t a, std::uint32_t b) { return links_[a].bandwidth < links_[b].bandwidth; });
    }
  }
}

bool ShortestPaths::reaches(std::uint32_t from, std::uint32_t to) const {
  return from == to || at(from, to).last_link != none;
}

hw::Time ShortestPaths::latency(std::uint32_t from, std::uint32_t to) const {
  return hw::Time::fs(at(from, to).latency_fs);
}

std::vector<std::uint32_t> ShortestPaths::path(std::uint32_t from, std::uint32_t to) const {
  std::vector<std::uint32_t> links;
  for (std::uint32_t node = to; node != from;) {
    const std::uint32_t link = at(from, node).last_link;
    if (link == none) throw hw::InternalError("a path between nodes that no way connects");
    links.push_back(link);
    node = links_[link].from;
  }
  std::reverse(links.begin(), links.end());
  return links;
}

std::vector<std::uint32_t> ShortestPaths::tree(std::uint32_t source, const Clique& clique) const {
  std::vector<std::uint32_t> links;
  for (const std::uint32_t member : clique) {
    const std::vector<std::uint32_t> way = path(source, member);
    links.insert(links.end(), way.begin(), way.end());
  }
  std::sort(links.begin(), links.end());
  links.erase(std::unique(links.begin(), links.end()), links.end());
  return links;
}

}  // namespace fredsim::agg
