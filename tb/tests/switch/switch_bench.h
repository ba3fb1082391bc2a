#pragma once

#include <cstring>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "hw/link/monitor.h"
#include "switch/fabric/fred_switch.h"
#include "switch/route/search.h"
#include "tb/tests/link/bench.h"

namespace fredsim::test {

constexpr auto mp = hw::VirtualChannel::mp;
constexpr auto pp = hw::VirtualChannel::pp;
constexpr auto dp = hw::VirtualChannel::dp;

inline std::vector<hw::PortId> ports(const std::vector<std::uint32_t>& values) {
  std::vector<hw::PortId> ids;
  for (const std::uint32_t v : values) ids.emplace_back(v);
  return ids;
}

inline sw::PortFlow all_reduce(const std::vector<std::uint32_t>& members) {
  return {ports(members), ports(members)};
}

/// Makes a SwitchPlan by hand; flows get ids 0, 1, 2, ... in the order in which they are added.
class PlanBuilder {
 public:
  PlanBuilder(std::uint32_t port_count, std::uint32_t middle) {
    plan_.ports = port_count;
    plan_.middle = middle;
    plan_.route_sets.resize(1);
  }

  /// A flow in a route set of its own.
  hw::FlowId flow(hw::VirtualChannel vc, const sw::PortFlow& ports) { return flows({{vc, ports}}).front(); }

  /// Flows that share a route set.
  std::vector<hw::FlowId> flows(const std::vector<std::pair<hw::VirtualChannel, sw::PortFlow>>& given) {
    sw::RouteSet set;
    for (const auto& [vc, ports] : given) set.flows.push_back(ports);
    set.routes = sw::route(sw::Structure(plan_.ports, plan_.middle), set.flows).routes;
    const auto number = static_cast<std::uint32_t>(plan_.route_sets.size());
    plan_.route_sets.push_back(std::move(set));
    std::vector<hw::FlowId> ids;
    for (std::uint32_t i = 0; i < given.size(); ++i)
      ids.push_back(add({{}, given[i].first, number, i, given[i].second}));
    return ids;
  }

  hw::FlowId unicast(hw::VirtualChannel vc, std::uint32_t in, std::uint32_t out) {
    return add({{}, vc, 0, 0, {ports({in}), ports({out})}});
  }
  hw::FlowId barrier(const std::vector<std::uint32_t>& members) {
    return add({{}, hw::VirtualChannel::control, 0, 0, all_reduce(members)});
  }

  const sw::SwitchPlan& plan() const { return plan_; }

 private:
  hw::FlowId add(sw::SwitchFlow flow) {
    flow.flow = hw::FlowId(static_cast<std::uint32_t>(plan_.flows.size()));
    plan_.flows.push_back(flow);
    return flow.flow;
  }

  sw::SwitchPlan plan_;
};

/// A FRED switch with a sender and a receiver at every port, and monitors that throw at both ends of every
/// link. Unless changed, a packet takes a nanosecond on every link and through the switch, a link's latency
/// is 2 ns, a hop 0.1 ns and a reconfiguration 0.5 ns.
class SwitchBench {
 public:
  using Abstraction = sw::SwitchConfig::Abstraction;

  struct Options {
    std::string name = "switch";  ///< two benches in one simulation need two
    Abstraction abstraction = Abstraction::whole_switch;
    hw::Capacities buffers = packets_of_room(8);   ///< of the switch's input ports
    hw::Capacities receiver = packets_of_room(8);  ///< behind the output ports
    std::function<void(sw::SwitchConfig&)> adjust = [](sw::SwitchConfig&) {};
    sw::SwitchParts parts;
  };

  const hw::Time latency = ns(2);
  const hw::Bandwidth bandwidth = hw::Bandwidth::bytes_per_second(4'096'000'000'000);

  explicit SwitchBench(const PlanBuilder& builder) : SwitchBench(builder, Options()) {}
  SwitchBench(const PlanBuilder& builder, const Options& options) : plan_(builder.plan()) {
    sw::SwitchConfig config;
    config.path = options.name;
    config.abstraction = options.abstraction;
    config.hop_latency = ns(0.1);
    config.reconfiguration = ns(0.5);
    config.internal_bandwidth = bandwidth;
    config.ports.assign(plan_.ports, {bandwidth, bandwidth, options.buffers, options.receiver});
    options.adjust(config);
    fred =
        std::make_unique<sw::FredSwitch>(options.name.c_str(), bench.context, config, plan_, options.parts);
    for (std::uint32_t p = 0; p < plan_.ports; ++p) {
      const sw::PortConfig& port = config.ports[p];
      const std::string at = options.name + "_port" + std::to_string(p);
      senders.push_back(
          std::make_unique<Sender>((at + "_sender").c_str(), bench, port.in_bandwidth, port.buffers));
      receivers.push_back(std::make_unique<Receiver>((at + "_receiver").c_str(), port.out_bandwidth));
      connect(at + "_up", senders[p]->transmitter.out, fred->in(hw::PortId(p)), port.in_bandwidth,
              port.buffers);
      connect(at + "_down", fred->out(hw::PortId(p)), receivers[p]->in, port.out_bandwidth, port.receiver);
    }
  }

  /// Queues the next `count` packets of `flow` at `port`'s sender. A packet carries one INT32, which value()
  /// gives.
  void send(std::uint32_t port, hw::FlowId flow, std::uint64_t count = 1) {
    for (; count > 0; --count) {
      hw::PacketHeader header;
      header.flow = flow;
      header.source = hw::NpuId(port);
      header.vc = plan_.flows.at(flow.value).vc;
      header.dtype = hw::DType::int32;
      header.injected = hw::now();
      header.sequence = next_[{port, flow.value}]++;
      header.wire_bytes = header.vc == hw::VirtualChannel::control ? 512 : 4096;
      const hw::PacketRef packet = bench.packets.make_with_room(header, 4 * header.sequence, 4);
      const std::uint32_t v = value(port, flow, header.sequence);
      std::memcpy(packet->get_data_ptr(), &v, 4);
      senders.at(port)->transmitter.enqueue(packet);
    }
  }
  void send_from(const std::vector<std::uint32_t>& members, hw::FlowId flow, std::uint64_t count = 1) {
    for (const std::uint32_t port : members) send(port, flow, count);
  }

  static std::uint32_t value(std::uint32_t port, hw::FlowId flow, std::uint64_t sequence) {
    return (port + 1) * 2654435761u ^ (flow.value + 7) * 40503u ^ static_cast<std::uint32_t>(sequence) * 97u;
  }
  /// What every output of a flow must get as packet `sequence`.
  std::uint32_t expected(hw::FlowId flow, std::uint64_t sequence) const {
    std::uint32_t sum = 0;
    for (const hw::PortId port : plan_.flows.at(flow.value).ports.inputs)
      sum += value(port.value, flow, sequence);
    return sum;
  }

  hw::Time crossing() const { return fred->config().hop_latency * fred->structure().stages(); }
  /// When the packets that `port` has received of `flow` were fired, if nothing held them at the output.
  std::vector<hw::Time> fired(std::uint32_t port, hw::FlowId flow) const {
    std::vector<hw::Time> times;
    for (const Receiver::Arrival& arrival : receivers.at(port)->arrivals) {
      if (arrival.header.flow == flow) times.push_back(arrival.head - latency - crossing());
    }
    return times;
  }
  void finish_monitors() {
    for (const auto& monitor : monitors) monitor->finish();
  }

 private:
  void connect(const std::string& name, hw::PacketInitiatorSocket& from, hw::PacketTargetSocket& to,
               hw::Bandwidth rate, const hw::Capacities& room) {
    links_.push_back(std::make_unique<hw::Link>(name.c_str(), bench.context, "links." + name,
                                                hw::LinkConfig{rate, latency}));
    hw::MonitorConfig config;
    config.receiver = room;
    config.bandwidth = rate;
    config.latency = latency;
    config.side = hw::MonitorConfig::Side::sender;
    monitors.push_back(std::make_unique<hw::PacketMonitor>((name + "_sent").c_str(), config));
    from.bind(monitors.back()->in);
    monitors.back()->out.bind(links_.back()->in);
    config.side = hw::MonitorConfig::Side::receiver;
    monitors.push_back(std::make_unique<hw::PacketMonitor>((name + "_received").c_str(), config));
    links_.back()->out.bind(monitors.back()->in);
    monitors.back()->out.bind(to);
  }

  sw::SwitchPlan plan_;

 public:
  Bench bench;
  std::unique_ptr<sw::FredSwitch> fred;
  std::vector<std::unique_ptr<Sender>> senders;
  std::vector<std::unique_ptr<Receiver>> receivers;
  std::vector<std::unique_ptr<hw::PacketMonitor>> monitors;

 private:
  std::vector<std::unique_ptr<hw::Link>> links_;
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint64_t> next_;
};

}  // namespace fredsim::test
