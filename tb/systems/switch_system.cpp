#include "tb/systems/switch_system.h"

#include <fmt/format.h>

#include "accel/npu/npu.h"

namespace fredsim::tb {

std::unique_ptr<accel::NpuBase> make_npu(sc_core::sc_module_name name, const accel::NpuConfig& config,
                                         const accel::Program& program, const accel::NpuServices& services) {
  return std::make_unique<accel::Npu>(name, config, program, services);
}

SwitchSystem::SwitchSystem(sc_core::sc_module_name name, const Configuration& configuration, const Plan& plan,
                           const accel::NpuServices& services, bool monitors, const Factories& factories)
    : System(name) {
  const LinkConfiguration& link = configuration.npu_link();
  const hw::Capacities& npu_buffers = configuration.npu_buffers();
  const hw::Capacities& switch_buffers = configuration.switch_buffers(1, PortSide::down);

  sw::SwitchConfig config;
  config.path = "switch";
  config.abstraction = configuration.sw.abstraction == Abstraction::microswitch
                           ? sw::SwitchConfig::Abstraction::microswitch
                           : sw::SwitchConfig::Abstraction::whole_switch;
  config.hop_latency = configuration.sw.hop_latency;
  config.reconfiguration = configuration.sw.reconfiguration;
  config.preemption = configuration.sw.preemption;
  config.staging = configuration.sw.staging;
  config.internal_bandwidth = configuration.sw.internal_bandwidth;
  config.ports.assign(configuration.sw.ports, {link.bandwidth, link.bandwidth, switch_buffers, npu_buffers});
  switches_.push_back(std::make_unique<sw::FredSwitch>("switch", services.context, config,
                                                       plan.switches.front(), factories.switch_parts));
  sw::FredSwitch& fred = *switches_.front();

  for (std::uint32_t n = 0; n < configuration.sw.ports; ++n) {
    accel::NpuConfig npu;
    npu.id = hw::NpuId{n};
    npu.path = fmt::format("npu{}", n);
    npu.bandwidth = link.bandwidth;
    npu.buffers = npu_buffers;
    npu.receiver = switch_buffers;
    npus_.push_back(factories.npu(npu.path.c_str(), npu, plan.programs.at(n), services));

    const hw::PortId port{n};
    const hw::LinkConfig wire{link.bandwidth, link.latency};
    connect(services.context, fmt::format("npu{}_to_switch", n), npus_[n]->out(), fred.in(port), wire,
            switch_buffers, npus_[n]->transmitter(), monitors);
    wires_.back().from_npu = npu.id;
    connect(services.context, fmt::format("switch_to_npu{}", n), fred.out(port), npus_[n]->in(), wire,
            npu_buffers, &fred.output(port).transmitter, monitors);
    wires_.back().to_npu = npu.id;
  }
}

void SwitchSystem::connect(hw::Context& context, const std::string& link_name,
                           hw::PacketInitiatorSocket& from, hw::PacketTargetSocket& to,
                           const hw::LinkConfig& config, const hw::Capacities& receiver,
                           const hw::Transmitter* sender, bool monitors) {
  auto link = std::make_unique<hw::Link>(link_name.c_str(), context, "links." + link_name, config);
  if (monitors) {
    hw::MonitorConfig monitor;
    monitor.receiver = receiver;
    monitor.bandwidth = config.bandwidth;
    monitor.latency = config.latency;
    monitor.format = context.format;
    monitor.side = hw::MonitorConfig::Side::sender;
    monitors_.push_back(std::make_unique<hw::PacketMonitor>((link_name + "_sender").c_str(), monitor));
    from.bind(monitors_.back()->in);
    monitors_.back()->out.bind(link->in);
    monitor.side = hw::MonitorConfig::Side::receiver;
    monitors_.push_back(std::make_unique<hw::PacketMonitor>((link_name + "_receiver").c_str(), monitor));
    link->out.bind(monitors_.back()->in);
    monitors_.back()->out.bind(to);
  } else {
    from.bind(link->in);
    link->out.bind(to);
  }
  wires_.push_back({std::move(link), sender});
}

}  // namespace fredsim::tb
