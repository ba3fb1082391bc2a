#include "tb/cli/describe_system.h"

#include <boost/core/demangle.hpp>
#include <string>
#include <systemc>
#include <typeinfo>

#include "switch/route/structure.h"
#include "tb/systems/plan_options.h"
#include "tb/systems/simulation.h"

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

}  // namespace

Json describe_system(const Configuration& configuration) {
  hw::Workload nothing;
  nothing.npus = configuration.npus();
  const Simulation simulation(configuration, nothing);
  const sw::Structure structure(configuration.sw.ports, configuration.sw.middle);
  const sw::ElementCounts& counts = structure.counts();
  const std::uint64_t memory_bits = configuration.sw.route_memory * 8;
  return {{"modules", modules_of(sc_core::sc_get_top_level_objects())},
          {"hardware",
           {{"switches", 1},
            {"npus", configuration.npus()},
            {"interconnect", to_string(structure)},
            {"micro_switches", {{"r", counts.r}, {"d", counts.d}, {"rd", counts.rd}}},
            {"odd_port", {{"demux", counts.demux}, {"mux", counts.mux}}},
            {"hops", structure.stages()},
            {"route_bits", structure.route_bits()},
            {"route_memory_bits", memory_bits},
            {"route_sets_in_memory", memory_bits / structure.route_bits()}}}};
}

}  // namespace fredsim::tb
