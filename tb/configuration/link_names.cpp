#include "tb/configuration/link_names.h"

#include <fmt/format.h>

#include "switch/fabric/tree.h"
#include "switch/mesh/mesh.h"

namespace fredsim::tb {

std::string link_name(const std::string& from, const std::string& to) {
  return fmt::format("{}_to_{}", from, to);
}

namespace {

std::vector<std::string> names_in_mesh(const sw::Mesh& mesh) {
  std::vector<std::string> names;
  const auto add = [&](const std::string& end, std::uint32_t router) {
    names.push_back(link_name(end, mesh.name_of(router)));
    names.push_back(link_name(mesh.name_of(router), end));
  };
  for (std::uint32_t n = 0; n < mesh.nodes(); ++n) add(fmt::format("npu{}", n), n);
  for (std::uint32_t c = 0; c < mesh.io_controllers(); ++c) add(fmt::format("io{}", c), mesh.io_port(c).node);
  for (std::uint32_t n = 0; n < mesh.nodes(); ++n) {
    for (const sw::Side side : {sw::Side::east, sw::Side::south}) {
      if (const auto other = mesh.neighbour(n, side)) add(mesh.name_of(n), *other);
    }
  }
  return names;
}

}  // namespace

std::vector<std::string> link_names(const Configuration& configuration) {
  if (configuration.system == SystemKind::mesh) {
    return names_in_mesh(sw::Mesh(configuration.mesh.columns, configuration.mesh.rows));
  }
  const sw::Tree tree(configuration.tree_shape());
  std::vector<std::string> names;
  const auto add = [&](const std::string& below, std::uint32_t above) {
    names.push_back(link_name(below, tree.switches()[above].name));
    names.push_back(link_name(tree.switches()[above].name, below));
  };
  for (std::uint32_t n = 0; n < tree.npus(); ++n)
    add(fmt::format("npu{}", n), tree.npu_port(hw::NpuId{n}).node);
  for (std::uint32_t c = 0; c < tree.io_controllers(); ++c) add(fmt::format("io{}", c), tree.io_port(c).node);
  for (std::uint32_t s = 0; s < tree.switches().size(); ++s) {
    const sw::TreeSwitch& node = tree.switches()[s];
    for (std::uint32_t u = 0; u < node.up_ports; ++u) {
      add(node.name, tree.above({s, hw::PortId{node.first_up_port() + u}}).node);
    }
  }
  return names;
}

}  // namespace fredsim::tb
