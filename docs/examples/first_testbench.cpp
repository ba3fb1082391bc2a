// A testbench of one's own around one FRED switch: three drivers send packets, each at a time of its own, the
// switch adds them up and gives every driver the sum, which it checks. Port 3 is not used.
//   first_testbench [WAVEFORM.vcd]
#include <cstdio>
#include <deque>

#include "hw/link/environment.h"
#include "hw/link/link.h"
#include "hw/link/monitor.h"
#include "hw/link/terminator.h"
#include "switch/fabric/fred_switch.h"
#include "switch/fabric/plan_builder.h"
using namespace fredsim;
using hw::PortId, hw::Time;

const hw::Bandwidth bandwidth = hw::parse_bandwidth("3 TB/s");
const hw::Capacity buffer = hw::Capacity::bytes(8192);  // of the switch's input ports: two packets
constexpr std::uint32_t drivers = 3, packets = 5, elements = 1000, wire_bytes = 6 + 4 * elements;

// Element i of a driver's stream: whole numbers, so that FP32 sums are exact.
float element(std::uint32_t driver, std::uint64_t i) {
  return static_cast<float>((driver + 1) * (i + 1));
}

struct Driver : sc_core::sc_module, hw::CreditSink, hw::PacketSink {
  hw::PacketInitiatorSocket out{"out", *this};
  hw::PacketTargetSocket in{"in", *this};
  std::uint32_t right = 0, credited = 0;

  Driver(sc_core::sc_module_name name, hw::Environment& environment, std::uint32_t driver, hw::FlowId flow)
      : sc_module(name),
        environment_(environment),
        number_(driver),
        flow_(flow),
        credit_probe_(environment.recorder,
                      {this->name() + std::string(".credit"), "B", "room left at the switch",
                       hw::ProbeKind::level, std::nullopt, static_cast<std::int64_t>(buffer.bytes())}) {
    SC_HAS_PROCESS(Driver);
    SC_THREAD(send);
  }

  void send() {
    wait(hw::to_sc(hw::parse_time("10 ns") * number_));
    for (std::uint64_t sequence = 0; sequence < packets; ++sequence) {
      while (!room()) {  // never send without credit for the whole packet
        if (returning_.empty()) {
          wait(credit_event_);
        } else {
          wait(hw::to_sc(returning_.front() - hw::now()));
        }
      }
      hw::PacketHeader header;
      header.flow = flow_;
      header.sequence = sequence;
      header.dtype = hw::DType::fp32;
      header.wire_bytes = wire_bytes;
      header.injected = hw::now();
      const std::uint64_t first = sequence * elements;
      const hw::PacketRef packet = environment_.packets.make_with_room(header, 4 * first, 4 * elements);
      auto* data = reinterpret_cast<float*>(packet->get_data_ptr());
      for (std::uint32_t i = 0; i < elements; ++i) data[i] = element(number_, first + i);
      credit_ -= wire_bytes;
      credit_probe_.add(hw::now(), -std::int64_t{wire_bytes});
      out.send(*packet, hw::now());
      wait(hw::to_sc(bandwidth.time_for(wire_bytes)));  // one packet after the other
    }
  }
  void credit_returns(PortId, hw::Payload&, Time at) override {  // counts from `at` on, now or later
    ++credited;
    returning_.push_back(at);
    credit_probe_.add(at, wire_bytes);
    credit_event_.notify();
  }
  bool room() {
    for (; !returning_.empty() && returning_.front() <= hw::now(); returning_.pop_front())
      credit_ += wire_bytes;
    return credit_ >= wire_bytes;
  }

  void packet_arrives(PortId, hw::Payload& packet, Time at) override {  // the head, now or later
    const std::uint64_t first = packet.get_address() / 4;
    const auto* data = reinterpret_cast<const float*>(hw::data_of(packet));
    for (std::uint32_t i = 0; i < elements; ++i) {
      float sum = 0;
      for (std::uint32_t driver = 0; driver < drivers; ++driver) sum += element(driver, first + i);
      right += data[i] == sum;
    }
    if (number_ == 0)
      std::printf("packet %u arrives at %s\n", unsigned(first / elements), to_string(at).c_str());
    in.credit(packet, at + bandwidth.time_for(wire_bytes));  // taken as its tail comes in
  }
  hw::PortStatus port_status(PortId) override { return {}; }

 private:
  hw::Environment& environment_;
  std::uint32_t number_;
  hw::FlowId flow_;
  std::uint64_t credit_ = buffer.bytes();
  std::deque<Time> returning_;  // when credits count that have been announced
  sc_core::sc_event credit_event_;
  hw::Probe credit_probe_;
};

int sc_main(int argc, char** argv) {
  hw::Environment environment(1);  // one flow; before any module
  if (argc > 1) environment.recorder.record({argv[1]});

  sw::PlanBuilder plan(4, 3);  // of a FRED_3(4)
  const std::vector<PortId> used = {PortId{0}, PortId{1}, PortId{2}};
  const hw::FlowId sum = plan.flow(hw::VirtualChannel::dp, {used, used});
  sw::SwitchConfig config;
  config.path = "dut";
  config.abstraction = sw::SwitchConfig::Abstraction::microswitch;
  config.hop_latency = hw::parse_time("0.2 ns");
  config.internal_bandwidth = bandwidth;
  config.ports.assign(4, {bandwidth, bandwidth, {buffer, buffer, buffer, buffer}});
  sw::FredSwitch dut("dut", environment.context, config, plan.plan());

  const hw::LinkConfig wire{bandwidth, hw::parse_time("3.3 ns")};
  hw::MonitorConfig rules;  // what a driver must keep to, and the switch towards it
  rules.receiver = config.ports[0].buffers;
  rules.bandwidth = wire.bandwidth;
  rules.latency = wire.latency;
  rules.side = hw::MonitorConfig::Side::sender;  // of the link
  std::deque<Driver> bench;
  std::deque<hw::PacketMonitor> monitors;
  std::deque<hw::Link> links;
  for (std::uint32_t p = 0; p < drivers; ++p) {
    const std::string name = "driver" + std::to_string(p);
    Driver& driver = bench.emplace_back(name.c_str(), environment, p, sum);
    hw::PacketMonitor& monitor = monitors.emplace_back((name + "_monitor").c_str(), rules);
    hw::Link& link = links.emplace_back((name + "_link").c_str(), environment.context, name + ".link", wire);
    driver.out.bind(monitor.in);
    monitor.out.bind(link.in);
    link.out.bind(dut.in(PortId{p}));
    dut.out(PortId{p}).bind(driver.in);
  }
  hw::Terminator nothing("nothing");
  nothing.out.bind(dut.in(PortId{3}));
  dut.out(PortId{3}).bind(nothing.in);

  environment.recorder.start();
  sc_core::sc_start();
  environment.recorder.finish(environment.recorder.last_change());

  bool good = true;
  for (hw::PacketMonitor& monitor : monitors) monitor.finish();
  for (const Driver& driver : bench)
    good = good && driver.right == packets * elements && driver.credited == packets;
  std::printf("%s\n", good ? "all sums are right" : "SOMETHING IS WRONG");
  return good ? 0 : 1;
}
