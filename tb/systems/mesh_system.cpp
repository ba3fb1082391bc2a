#include "tb/systems/mesh_system.h"

#include <fmt/format.h>

#include "accel/io/io_controller.h"
#include "switch/mesh/mesh.h"
#include "switch/mesh/router.h"
#include "tb/systems/wiring.h"

namespace fredsim::tb {
namespace {

hw::LinkConfig link_of(const LinkConfiguration& link) {
  return {link.bandwidth, link.latency};
}

sw::RouterConfig router_config(const sw::Mesh& mesh, std::uint32_t node, const Configuration& configuration) {
  sw::RouterConfig config;
  config.path = mesh.name_of(node);
  config.node = node;
  config.hop_latency = configuration.mesh.hop_latency;
  config.staging = configuration.mesh.staging;
  const hw::Capacities& own = configuration.router_buffers();
  for (std::size_t p = 0; p < sw::mesh_ports; ++p) {
    const auto side = static_cast<sw::Side>(p);
    if (side == sw::Side::local) {
      config.ports[p] = {true, configuration.npu_link().bandwidth, own, configuration.npu_buffers()};
    } else if (mesh.neighbour(node, side)) {
      config.ports[p] = {true, configuration.mesh_link().bandwidth, own, own};
    } else {
      config.ports[p] = {true, configuration.io_link().bandwidth, own, configuration.io_buffers()};
    }
  }
  return config;
}

}  // namespace

MeshSystem::MeshSystem(sc_core::sc_module_name name, const Configuration& configuration, const Plan& plan,
                       const accel::NpuServices& services, bool monitors, const Factories& factories,
                       const Faults& faults)
    : System(name) {
  const sw::Mesh& mesh = plan.routes->mesh();
  for (std::uint32_t n = 0; n < mesh.nodes(); ++n) {
    routers_.push_back(std::make_unique<sw::MeshRouter>(mesh.name_of(n).c_str(), services.context,
                                                        router_config(mesh, n, configuration), *plan.routes));
  }
  Wiring wiring(services.context, configuration, faults, monitors, {wires_, monitors_, shakers_});
  const auto end_of = [&](sw::MeshPort at) {
    sw::MeshRouter& router = *routers_[at.node];
    return Wiring::End{router.config().path, router.out(at.side), router.in(at.side),
                       configuration.router_buffers(), &router.output(at.side)};
  };
  for (std::uint32_t n = 0; n < mesh.nodes(); ++n) {
    accel::NpuConfig config;
    config.id = hw::NpuId{n};
    config.path = fmt::format("npu{}", n);
    config.bandwidth = configuration.npu_link().bandwidth;
    config.memory_bandwidth = configuration.npu.memory_bandwidth;
    config.buffers = configuration.npu_buffers();
    config.receiver = configuration.router_buffers();
    if (const auto found = faults.outages.find(config.id); found != faults.outages.end())
      config.outages = found->second;
    npus_.push_back(factories.npu(config.path.c_str(), config, plan.programs.at(n), services));
    accel::NpuBase& npu = *npus_.back();
    wiring.connect({config.path, npu.out(), npu.in(), npu.config().buffers, npu.transmitter(), config.id},
                   end_of({n, sw::Side::local}), link_of(configuration.npu_link()));
  }
  for (std::uint32_t c = 0; c < mesh.io_controllers(); ++c) {
    accel::NpuConfig config;
    config.id = hw::NpuId{mesh.nodes() + c};
    config.path = fmt::format("io{}", c);
    config.bandwidth = configuration.io_link().bandwidth;
    config.buffers = configuration.io_buffers();
    config.receiver = configuration.router_buffers();
    io_controllers_.push_back(std::make_unique<accel::IoController>(
        config.path.c_str(), config, plan.programs.at(mesh.nodes() + c), services));
    accel::IoController& io = *io_controllers_.back();
    wiring.connect({config.path, io.out(), io.in(), configuration.io_buffers(), &io.transmitter()},
                   end_of(mesh.io_port(c)), link_of(configuration.io_link()));
  }
  for (std::uint32_t n = 0; n < mesh.nodes(); ++n) {
    for (const sw::Side side : {sw::Side::east, sw::Side::south}) {
      const std::optional<std::uint32_t> other = mesh.neighbour(n, side);
      if (!other) continue;
      wiring.connect(end_of({n, side}), end_of({*other, sw::opposite(side)}),
                     link_of(configuration.mesh_link()));
    }
  }
}

}  // namespace fredsim::tb
