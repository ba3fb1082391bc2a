#include "tb/cli/describe_system.h"

#include <boost/core/demangle.hpp>
#include <cmath>
#include <map>
#include <string>
#include <systemc>
#include <typeinfo>
#include <vector>

#include "hw/core/error.h"
#include "hw/core/quantity.h"
#include "switch/route/structure.h"
#include "tb/cli/describe_mesh.h"
#include "tb/cli/system_dot.h"
#include "tb/cli/system_links.h"
#include "tb/cost/energy.h"
#include "tb/systems/plan_options.h"
#include "tb/systems/simulation.h"
#include "traces/chakra/load.h"

namespace fredsim::tb {
namespace {

using Json = nlohmann::ordered_json;

/// The module's class without its namespaces.
std::string type_name(const sc_core::sc_object& object) {
  const std::string name = boost::core::demangle(typeid(object).name());
  return name.substr(name.rfind(':') + 1);
}

Json modules_of(const std::vector<sc_core::sc_object*>& objects) {
  Json modules = Json::array();
  for (const sc_core::sc_object* object : objects) {
    const std::string kind = object->kind();
    if (kind != "sc_module") continue;
    Json module = {{"name", object->basename()}, {"type", type_name(*object)}};
    Json children = modules_of(object->get_child_objects());
    if (!children.empty()) module["modules"] = std::move(children);
    modules.push_back(std::move(module));
  }
  return modules;
}

/// One entry a level, of one switch of it, and one of all switches together.
Json switches_of(const System& system, const sw::Tree& tree, std::uint64_t memory_bits) {
  Json rows = Json::array();
  std::map<std::string, std::uint64_t> sums;
  std::uint32_t level = 0;
  for (std::size_t s = 0; s < tree.switches().size(); ++s) {
    const sw::TreeSwitch& node = tree.switches()[s];
    const sw::Structure& structure = system.switches().at(s)->structure();
    const sw::ElementCounts& counts = structure.counts();
    const std::vector<std::pair<const char*, std::uint64_t>> added{{"switches", 1},
                                                                   {"r", counts.r},
                                                                   {"d", counts.d},
                                                                   {"rd", counts.rd},
                                                                   {"demux", counts.demux},
                                                                   {"mux", counts.mux},
                                                                   {"route_memory_bits", memory_bits}};
    for (const auto& [key, count] : added) sums[key] += count;
    if (node.level == level) {
      rows.back()["switches"] = rows.back()["switches"].get<std::uint32_t>() + 1;
      continue;
    }
    level = node.level;
    rows.push_back({{"level", level},
                    {"switches", 1},
                    {"interconnect", to_string(structure)},
                    {"down_ports", node.down_ports},
                    {"io_ports", node.io_ports},
                    {"up_ports", node.up_ports},
                    {"r", counts.r},
                    {"d", counts.d},
                    {"rd", counts.rd},
                    {"demux", counts.demux},
                    {"mux", counts.mux},
                    {"hops", structure.stages()},
                    {"route_bits", structure.route_bits()},
                    {"route_memory_bits", memory_bits},
                    {"route_sets_in_memory", memory_bits / structure.route_bits()}});
  }
  Json all{{"level", "all"}};
  for (const auto& [key, value] : rows.back().items()) {
    if (sums.count(key) > 0) all[key] = sums[key];
  }
  rows.push_back(std::move(all));
  return rows;
}

/// One entry a class; a link counts once for both directions, its bandwidth is that of one.
Json links_of(const std::vector<LinkPair>& pairs) {
  std::vector<std::string> classes;
  std::map<std::string, std::vector<const LinkPair*>> of_class;
  for (const LinkPair& pair : pairs) {
    if (of_class[pair.link_class].empty()) classes.push_back(pair.link_class);
    of_class[pair.link_class].push_back(&pair);
  }
  Json rows = Json::array();
  for (const std::string& name : classes) {
    const hw::LinkConfig& config = of_class[name].front()->config;
    const std::uint64_t count = of_class[name].size();
    const auto sum = hw::Bandwidth::bits_per_second(config.bandwidth.bits_per_second() * count);
    rows.push_back({{"class", name},
                    {"links", count},
                    {"bandwidth", hw::to_string(config.bandwidth)},
                    {"bandwidth_in_all", hw::to_string(sum)},
                    {"latency", hw::to_string(config.latency)}});
  }
  return rows;
}

/// One entry a level: the switch of it whose route memory the plan fills most.
Json route_memory_of(const Plan& plan, const sw::Tree& tree, std::uint64_t memory_bits) {
  Json rows = Json::array();
  std::uint32_t level = 0;
  for (std::size_t s = 0; s < plan.switches.size(); ++s) {
    const sw::TreeSwitch& node = tree.switches()[s];
    const std::uint64_t sets = plan.switches[s].route_sets.size() - 1;
    if (node.level != level) {
      level = node.level;
      rows.push_back({{"level", level}, {"fullest", ""}, {"route_sets", 0}});
    } else if (sets <= rows.back()["route_sets"].get<std::uint64_t>()) {
      continue;
    }
    const std::uint64_t bits = sw::Structure(plan.switches[s].ports, plan.switches[s].middle).route_bits();
    rows.back() = {{"level", level},
                   {"fullest", node.name},
                   {"route_sets", sets},
                   {"route_bits", bits},
                   {"bits_needed", bits * sets},
                   {"route_memory_bits", memory_bits},
                   {"packed", static_cast<bool>(plan.packed[s])},
                   {"reloads", bits * sets > memory_bits}};
  }
  return rows;
}

}  // namespace

nlohmann::ordered_json module_tree() {
  return modules_of(sc_core::sc_get_top_level_objects());
}

SystemDescription describe_system(const Configuration& configuration,
                                  const std::optional<std::string>& trace) {
  if (configuration.system == SystemKind::wan) {
    if (trace) throw hw::InputError("--trace: a WAN has no route memory; it replays a schedule");
    return describe_wan(configuration);
  }
  std::optional<Json> workload;
  if (trace) {
    if (configuration.system == SystemKind::mesh) {
      throw hw::InputError(
          "--trace: a mesh has no route memory; name the configuration of a tree or a switch");
    }
    workload = route_memory_of(plan_for(configuration, trace::load(*trace, configuration.npus())),
                               sw::Tree(configuration.tree_shape()), configuration.sw.route_memory * 8);
  }
  const CostCoefficients coefficients = cost_coefficients(configuration);
  hw::Workload nothing;
  nothing.npus = configuration.npus();
  const Simulation simulation(configuration, nothing);
  const System& system = simulation.system();
  SystemDescription description;
  description.json["modules"] = module_tree();
  Json hardware = {{"npus", system.npus().size()}, {"io_controllers", system.io_controllers().size()}};
  if (configuration.system == SystemKind::mesh) {
    const sw::Mesh mesh(configuration.mesh.columns, configuration.mesh.rows);
    hardware["routers"] = routers_of(mesh);
    hardware["links"] = links_of(mesh_link_pairs(system));
    hardware["energy"] = energies_json(configuration, coefficients);
    description.json["hardware"] = std::move(hardware);
    description.dot = mesh_dot(configuration.source, mesh);
    return description;
  }
  const sw::Tree tree(configuration.tree_shape());
  const std::vector<LinkPair> links = link_pairs(system, tree);
  hardware["switches"] = switches_of(system, tree, configuration.sw.route_memory * 8);
  hardware["links"] = links_of(links);
  hardware["energy"] = energies_json(configuration, coefficients);
  hardware["cost"] = to_json(fabric_cost(configuration, coefficients));
  description.json["hardware"] = std::move(hardware);
  if (workload) description.json["workload"] = {{"route_memory", std::move(*workload)}};
  description.dot = system_dot(configuration.source, system, tree, links);
  return description;
}

}  // namespace fredsim::tb
