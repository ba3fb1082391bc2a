#include <fmt/format.h>

#include "tb/cli/describe_system.h"
#include "tb/cost/energy.h"
#include "tb/wan/wan_simulation.h"

namespace fredsim::tb {
namespace {

/// Sites as boxes, links by their latency and bandwidth, the two directions of a line as one edge.
std::string wan_dot(const agg::Topology& topology) {
  std::string dot = "graph wan {\n  layout=neato; overlap=false; splines=true;\n  node [shape=box];\n";
  for (std::uint32_t node = 0; node < topology.nodes.size(); ++node) {
    dot += fmt::format("  \"{}\"{};\n", topology.nodes[node],
                       node < topology.site_count ? "" : " [shape=circle]");
  }
  for (std::size_t l = 0; l < topology.links.size(); ++l) {
    const agg::WanLink& link = topology.links[l];
    const bool back = l > 0 && topology.links[l - 1].from == link.to && topology.links[l - 1].to == link.from;
    if (back) continue;
    dot += fmt::format("  \"{}\" -- \"{}\" [label=\"{}\\n{}\"];\n", topology.nodes[link.from],
                       topology.nodes[link.to], to_string(link.latency), to_string(link.bandwidth));
  }
  return dot + "}\n";
}

}  // namespace

SystemDescription describe_wan(const Configuration& configuration) {
  agg::Topology topology = wan_topology(configuration);
  agg::Round all(1);
  for (std::uint32_t site = 0; site < topology.site_count; ++site) all.front().push_back(site);
  WanPlan plan = plan_wan(configuration, topology, {all});
  const std::uint64_t slot = plan.slot_bytes;
  const std::uint64_t packets = plan.packets;
  WanOptions options;
  options.data = false;
  const WanSimulation simulation(configuration, std::move(plan), options);
  SystemDescription description;
  description.json["modules"] = module_tree();
  description.json["hardware"] = {{"sites", topology.site_count},
                                  {"routers", topology.nodes.size()},
                                  {"directed_links", topology.links.size()},
                                  {"packets_per_update", packets},
                                  {"slot_bytes", slot}};
  // As many as keep up with the data path.
  if (configuration.wan.aggregate() && configuration.aggregator.width > 0) {
    description.json["hardware"]["adders_per_aggregator"] =
        configuration.aggregator.width / 8 / hw::size_of(configuration.data.dtype);
  }
  if (configuration.wan.aggregate() && !configuration.aggregator.memory().is_unlimited()) {
    description.json["hardware"]["slots_per_aggregator"] = configuration.aggregator.memory().bytes() / slot;
  }
  description.json["hardware"]["energy"] = energies_json(configuration, cost_coefficients(configuration));
  description.dot = wan_dot(topology);
  return description;
}

}  // namespace fredsim::tb
