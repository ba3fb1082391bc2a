#include "tb/systems/wiring.h"

#include <fmt/format.h>

namespace fredsim::tb {

void Wiring::lay(const End& from, const End& to, const hw::LinkConfig& config) {
  const std::string name = fmt::format("{}_to_{}", from.name, to.name);
  auto link = std::make_unique<hw::Link>(name.c_str(), context_, "links." + name, config);
  hw::PacketMonitor* at_sender = nullptr;
  hw::PacketMonitor* at_receiver = nullptr;
  if (monitors_) {
    hw::MonitorConfig monitor;
    monitor.receiver = to.buffers;
    monitor.bandwidth = config.bandwidth;
    monitor.latency = config.latency;
    monitor.format = context_.format;
    at_sender = &add_monitor(name + "_sender", monitor, hw::MonitorConfig::Side::sender);
    at_receiver = &add_monitor(name + "_receiver", monitor, hw::MonitorConfig::Side::receiver);
    from.out.bind(at_sender->in);
    at_sender->out.bind(link->in);
    link->out.bind(at_receiver->in);
    at_receiver->out.bind(to.in);
  } else {
    from.out.bind(link->in);
    link->out.bind(to.in);
  }
  wires_.push_back(
      {std::move(link), from.sender, from.npu, to.npu, from.name, to.name, at_sender, at_receiver});
}

hw::PacketMonitor& Wiring::add_monitor(const std::string& name, hw::MonitorConfig config,
                                       hw::MonitorConfig::Side side) {
  config.side = side;
  monitor_list_.push_back(std::make_unique<hw::PacketMonitor>(name.c_str(), config));
  return *monitor_list_.back();
}

}  // namespace fredsim::tb
