#include "tb/configuration/link_names.h"

#include <fmt/format.h>

namespace fredsim::tb {

std::string link_name(const std::string& from, const std::string& to) {
  return fmt::format("{}_to_{}", from, to);
}

std::vector<std::string> link_names(const Configuration& configuration) {
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
