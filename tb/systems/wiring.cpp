#include "tb/systems/wiring.h"

#include "hw/core/random.h"
#include "tb/configuration/link_names.h"

namespace fredsim::tb {

void Wiring::connect(const End& a, const End& b, const hw::LinkConfig& config) {
  hw::Link& there = lay(a, b, config);
  hw::Link& back = lay(b, a, config);
  if (configuration_.reliability() != Reliability::link) return;
  there.resend(back, configuration_.npu.retries);
  back.resend(there, configuration_.npu.retries);
}

hw::Link& Wiring::lay(const End& from, const End& to, const hw::LinkConfig& config) {
  const std::string name = link_name(from.name, to.name);
  auto link = std::make_unique<hw::Link>(name.c_str(), context_, "links." + name, config);
  impair(*link, name);
  hw::PacketMonitor* at_sender = nullptr;
  hw::PacketMonitor* at_receiver = nullptr;
  hw::PacketTargetSocket& entry = configuration_.pressure.seed == 0 ? link->in : shaken(*link, name);
  if (monitors_) {
    hw::MonitorConfig monitor;
    monitor.receiver = to.buffers;
    monitor.bandwidth = config.bandwidth;
    monitor.latency = config.latency;
    monitor.format = context_.format;
    at_sender = &add_monitor(name + "_sender", monitor, hw::MonitorConfig::Side::sender);
    at_receiver = &add_monitor(name + "_receiver", monitor, hw::MonitorConfig::Side::receiver);
    from.out.bind(at_sender->in);
    at_sender->out.bind(entry);
    link->out.bind(at_receiver->in);
    at_receiver->out.bind(to.in);
  } else {
    from.out.bind(entry);
    link->out.bind(to.in);
  }
  made_.wires.push_back(
      {std::move(link), from.sender, from.npu, to.npu, from.name, to.name, at_sender, at_receiver});
  return *made_.wires.back().link;
}

void Wiring::impair(hw::Link& link, const std::string& name) {
  const auto found = faults_.links.find(name);
  hw::LinkFaultPlan plan = found == faults_.links.end() ? hw::LinkFaultPlan() : found->second;
  plan.bit_error_rate = faults_.bit_error_rate;
  link.impair(std::move(plan), faults_.seed);
}

hw::PacketTargetSocket& Wiring::shaken(hw::Link& link, const std::string& name) {
  const PressureConfiguration& pressure = configuration_.pressure;
  hw::ShakerConfig config;
  // Neighbouring seeds of the user must not share streams of numbers between links.
  config.seed = hw::Random(pressure.seed).next() + made_.shakers.size();
  config.bandwidth = link.config().bandwidth;
  config.delay = pressure.delay;
  config.slowdown = pressure.slowdown;
  made_.shakers.push_back(std::make_unique<hw::Shaker>((name + "_shaker").c_str(), config));
  made_.shakers.back()->out.bind(link.in);
  return made_.shakers.back()->in;
}

hw::PacketMonitor& Wiring::add_monitor(const std::string& name, hw::MonitorConfig config,
                                       hw::MonitorConfig::Side side) {
  config.side = side;
  made_.monitors.push_back(std::make_unique<hw::PacketMonitor>(name.c_str(), config));
  return *made_.monitors.back();
}

}  // namespace fredsim::tb
