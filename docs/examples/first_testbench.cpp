#include <cstdio>

#include "switch/fabric/fred_switch.h"
#include "switch/route/search.h"
using namespace fredsim;
using hw::FlowId, hw::PortId, hw::Time;

// Sends a packet into either port of a FRED_3(2), which adds them up, and takes what comes out of both.
struct Bench : sc_core::sc_module, hw::CreditSink, hw::PacketSink {
  hw::PacketInitiatorSocket send[2] = {{"send0", *this, PortId{0}}, {"send1", *this, PortId{1}}};
  hw::PacketTargetSocket receive[2] = {{"receive0", *this, PortId{0}}, {"receive1", *this, PortId{1}}};
  hw::PacketPool& pool;
  const float data[1000] = {1.5, 2};

  Bench(sc_core::sc_module_name name, hw::PacketPool& p) : sc_module(name), pool(p) {}
  void start_of_simulation() override {  // port 1 is 10 ns late
    hw::PacketHeader header;
    header.dtype = hw::DType::fp32;
    header.wire_bytes = 6 + sizeof data;
    for (std::uint32_t p = 0; p < 2; ++p) {
      const auto packet = pool.make(header, 0, reinterpret_cast<const std::byte*>(data), sizeof data);
      send[p].send(*packet, Time::fs(p * 10'000'000));
    }
  }
  void packet_arrives(PortId port, hw::Payload& packet, Time at) override {
    const auto* elements = reinterpret_cast<const float*>(hw::data_of(packet));
    std::printf("port %u: sums %g %g arrive at %s\n", port.value, elements[0], elements[1],
                to_string(at).c_str());
    receive[port.value].credit(packet, at + hw::parse_bandwidth("3 TB/s").time_for(4006));  // its tail is in
  }
  void credit_returns(PortId port, hw::Payload&, Time at) override {
    std::printf("port %u: credit is back at %s\n", port.value, to_string(at).c_str());
  }
  hw::PortStatus port_status(PortId) override { return {}; }
};

int sc_main(int, char**) {
  hw::set_time_resolution();
  hw::Recorder recorder(hw::now);
  hw::PacketPool pool(4096);
  hw::FlowTable flows(1);
  hw::Context context{recorder, pool, flows, {}};
  const sw::PortFlow sum{{PortId{0}, PortId{1}}, {PortId{0}, PortId{1}}};
  const auto routes = sw::route(sw::Structure(2, 3), {sum}).routes;
  const sw::SwitchPlan plan{2, 3, {{}, {{sum}, routes}}, {{FlowId{0}, hw::VirtualChannel::dp, 1, 0, sum}}};
  sw::SwitchConfig config;  // buffers without limit, no time to change the route set
  config.path = "dut";
  config.hop_latency = hw::parse_time("0.2 ns");
  config.internal_bandwidth = hw::parse_bandwidth("3 TB/s");
  config.ports.assign(2, {config.internal_bandwidth, config.internal_bandwidth});
  sw::FredSwitch dut("dut", context, config, plan);
  Bench bench("bench", pool);
  for (std::uint32_t p = 0; p < 2; ++p) {
    bench.send[p].bind(dut.in(PortId{p}));
    dut.out(PortId{p}).bind(bench.receive[p]);
  }
  sc_core::sc_start();
  return 0;
}
