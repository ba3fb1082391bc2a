#include "tb/systems/tree_system.h"

#include <fmt/format.h>

#include "accel/io/io_controller.h"
#include "accel/npu/npu.h"
#include "switch/route/structure.h"
#include "tb/systems/wiring.h"

namespace fredsim::tb {

std::unique_ptr<accel::NpuBase> make_npu(sc_core::sc_module_name name, const accel::NpuConfig& config,
                                         const accel::Program& program, const accel::NpuServices& services) {
  return std::make_unique<accel::Npu>(name, config, program, services);
}

class TreeSystem::Builder {
 public:
  Builder(TreeSystem& system, const Configuration& configuration, const sw::Tree& tree, const Plan& plan,
          const accel::NpuServices& services, bool monitors, const Factories& factories, const Faults& faults)
      : system_(system),
        configuration_(configuration),
        tree_(tree),
        plan_(plan),
        services_(services),
        wiring_(services.context, configuration, faults, monitors,
                {system.wires_, system.monitors_, system.shakers_}),
        factories_(factories),
        faults_(faults) {}

  void build() {
    for (std::uint32_t s = 0; s < tree_.switches().size(); ++s) add_switch(s);
    for (std::uint32_t n = 0; n < tree_.npus(); ++n) add_npu(hw::NpuId{n});
    for (std::uint32_t c = 0; c < tree_.io_controllers(); ++c) add_io_controller(c);
    for (std::uint32_t s = 0; s < tree_.switches().size(); ++s) {
      const sw::TreeSwitch& node = tree_.switches()[s];
      for (std::uint32_t u = 0; u < node.up_ports; ++u) {
        connect_up({s, hw::PortId{node.first_up_port() + u}}, node.level);
      }
    }
  }

 private:
  void add_switch(std::uint32_t index) {
    const sw::TreeSwitch& node = tree_.switches()[index];
    const SwitchConfiguration& from = configuration_.sw;
    sw::SwitchConfig config;
    config.path = node.name;
    config.abstraction = from.abstraction == Abstraction::microswitch
                             ? sw::SwitchConfig::Abstraction::microswitch
                             : sw::SwitchConfig::Abstraction::whole_switch;
    config.hop_latency = from.hop_latency;
    config.reconfiguration = from.reconfiguration;
    config.preemption = from.preemption;
    config.staging = from.staging;
    const std::uint64_t bits = sw::Structure(node.ports(), from.middle).route_bits();
    config.route_sets_in_memory = from.route_memory * 8 / bits;
    config.route_load = from.route_load.time_for((bits + 7) / 8);
    config.internal_bandwidth = from.internal_bandwidth;

    const std::uint32_t level = node.level;
    const bool leaf = level == 1;
    const LinkConfiguration& down = leaf ? configuration_.npu_link() : configuration_.link_up_to(level);
    config.ports.assign(
        node.down_ports,
        {down.bandwidth, down.bandwidth, configuration_.switch_buffers(level, PortSide::down),
         leaf ? configuration_.npu_buffers() : configuration_.switch_buffers(level - 1, PortSide::up)});
    for (std::uint32_t p = 0; p < node.io_ports; ++p) {
      const LinkConfiguration& io = configuration_.io_link();
      config.ports.push_back({io.bandwidth, io.bandwidth, configuration_.switch_buffers(1, PortSide::io),
                              configuration_.io_buffers(), false});
    }
    for (std::uint32_t c = 0; leaf && c < tree_.io_controllers(); ++c) {
      const sw::TreePort port = tree_.io_port(c);
      if (port.node == index) config.ports[port.port.value].connected = true;
    }
    for (std::uint32_t u = 0; u < node.up_ports; ++u) {
      const LinkConfiguration& up = configuration_.link_up_to(level + 1);
      config.ports.push_back({up.bandwidth, up.bandwidth, configuration_.switch_buffers(level, PortSide::up),
                              configuration_.switch_buffers(level + 1, PortSide::down)});
    }
    system_.switches_.push_back(std::make_unique<sw::FredSwitch>(
        node.name.c_str(), services_.context, config, plan_.switches.at(index), factories_.switch_parts));
  }

  void add_npu(hw::NpuId id) {
    accel::NpuConfig config;
    config.id = id;
    config.path = fmt::format("npu{}", id.value);
    config.bandwidth = configuration_.npu_link().bandwidth;
    config.memory_bandwidth = configuration_.npu.memory_bandwidth;
    config.buffers = configuration_.npu_buffers();
    config.receiver = configuration_.switch_buffers(1, PortSide::down);
    if (const auto found = faults_.outages.find(id); found != faults_.outages.end())
      config.outages = found->second;
    system_.npus_.push_back(
        factories_.npu(config.path.c_str(), config, plan_.programs.at(id.value), services_));
    accel::NpuBase& npu = *system_.npus_.back();
    connect({config.path, npu.out(), npu.in(), npu.config().buffers, npu.transmitter(), id},
            end_of(tree_.npu_port(id)), configuration_.npu_link());
  }

  void add_io_controller(std::uint32_t controller) {
    accel::NpuConfig config;
    config.id = hw::NpuId{tree_.npus() + controller};
    config.path = fmt::format("io{}", controller);
    config.bandwidth = configuration_.io_link().bandwidth;
    config.buffers = configuration_.io_buffers();
    config.receiver = configuration_.switch_buffers(1, PortSide::io);
    system_.io_controllers_.push_back(std::make_unique<accel::IoController>(
        config.path.c_str(), config, plan_.programs.at(config.id.value), services_));
    accel::IoController& io = *system_.io_controllers_.back();
    connect({config.path, io.out(), io.in(), configuration_.io_buffers(), &io.transmitter()},
            end_of(tree_.io_port(controller)), configuration_.io_link());
  }

  void connect_up(sw::TreePort up, std::uint32_t level) {
    connect(end_of(up), end_of(tree_.above(up)), configuration_.link_up_to(level + 1));
  }

  Wiring::End end_of(sw::TreePort at) {
    sw::FredSwitch& fred = *system_.switches_.at(at.node);
    return {fred.config().path, fred.out(at.port), fred.in(at.port),
            fred.config().ports.at(at.port.value).buffers, &fred.output(at.port).transmitter};
  }

  void connect(const Wiring::End& below, const Wiring::End& above, const LinkConfiguration& link) {
    wiring_.connect(below, above, {link.bandwidth, link.latency});
  }

  TreeSystem& system_;
  const Configuration& configuration_;
  const sw::Tree& tree_;
  const Plan& plan_;
  const accel::NpuServices& services_;
  Wiring wiring_;
  const Factories& factories_;
  const Faults& faults_;
};

TreeSystem::TreeSystem(sc_core::sc_module_name name, const Configuration& configuration, const sw::Tree& tree,
                       const Plan& plan, const accel::NpuServices& services, bool monitors,
                       const Factories& factories, const Faults& faults)
    : System(name) {
  Builder(*this, configuration, tree, plan, services, monitors, factories, faults).build();
}

}  // namespace fredsim::tb
