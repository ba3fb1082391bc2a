// The mistakes that docs/testbench-guide.md lists, made on purpose: each must be answered with what the page
// says.
#include <gtest/gtest.h>

#include <fstream>
#include <functional>
#include <memory>
#include <sstream>
#include <string>

#include "hw/link/environment.h"
#include "hw/link/monitor.h"
#include "hw/link/terminator.h"
#include "switch/fabric/fred_switch.h"
#include "switch/fabric/plan_builder.h"

namespace fredsim {
namespace {

using hw::PortId;

const hw::Bandwidth bandwidth = hw::parse_bandwidth("4 TB/s");
constexpr std::uint32_t wire_bytes = 4000;  // a nanosecond

/// One port of a testbench; a thread of the test's own sends.
struct Driver : sc_core::sc_module, hw::CreditSink, hw::PacketSink {
  hw::PacketInitiatorSocket out{"out", *this};
  hw::PacketTargetSocket in{"in", *this};
  bool credits = true;

  explicit Driver(sc_core::sc_module_name name) : sc_module(name) {}
  void packet_arrives(PortId, hw::Payload& packet, hw::Time at) override {
    if (credits) in.credit(packet, at + bandwidth.time_for(wire_bytes));
  }
  hw::PortStatus port_status(PortId) override { return {}; }
  void credit_returns(PortId, hw::Payload&, hw::Time) override {}
};

/// A FRED_3(2) that adds up ports 0 and 1, a driver at each, monitors around driver 0.
struct Bench {
  explicit Bench(std::size_t flow_count = 1, bool monitored = true)
      : environment(flow_count), flow(plan.flow(hw::VirtualChannel::dp, {ports, ports})) {
    config.path = "dut";
    config.internal_bandwidth = bandwidth;
    const hw::Capacity room = hw::Capacity::bytes(2 * wire_bytes);
    config.ports.assign(2, {bandwidth, bandwidth, {room, room, room, room}});
    dut = std::make_unique<sw::FredSwitch>("dut", environment.context, config, plan.plan());
    hw::MonitorConfig rules;
    rules.bandwidth = bandwidth;
    from_switch = std::make_unique<hw::PacketMonitor>("from_switch", rules);
    rules.receiver = config.ports[0].buffers;
    for (std::uint32_t p = 0; p < 2; ++p) {
      const std::string name = "driver" + std::to_string(p);
      drivers.push_back(std::make_unique<Driver>(name.c_str()));
      if (monitored) {
        to_switch.push_back(std::make_unique<hw::PacketMonitor>((name + "_monitor").c_str(), rules));
        drivers[p]->out.bind(to_switch[p]->in);
        to_switch[p]->out.bind(dut->in(PortId(p)));
      } else {
        drivers[p]->out.bind(dut->in(PortId(p)));
      }
    }
    dut->out(PortId(0)).bind(from_switch->in);
    from_switch->out.bind(drivers[0]->in);
    dut->out(PortId(1)).bind(drivers[1]->in);
  }

  hw::PacketHeader header(std::uint64_t sequence = 0) const {
    hw::PacketHeader h;
    h.flow = flow;
    h.sequence = sequence;
    h.wire_bytes = wire_bytes;
    return h;
  }
  /// Sends from a driver, then waits until the tail has left.
  hw::PacketRef send(std::uint32_t driver, const hw::PacketHeader& h, hw::Time early = {}) {
    const hw::PacketRef packet = environment.packets.make_with_room(h, 0, 16);
    drivers[driver]->out.send(*packet, hw::now() - early);
    return packet;
  }
  static void wait_for_tail() { sc_core::wait(hw::to_sc(bandwidth.time_for(wire_bytes))); }

  hw::Environment environment;
  const std::vector<PortId> ports = {PortId{0}, PortId{1}};
  sw::PlanBuilder plan{2, 3};
  hw::FlowId flow;
  sw::SwitchConfig config;
  std::unique_ptr<sw::FredSwitch> dut;
  std::vector<std::unique_ptr<Driver>> drivers;
  std::vector<std::unique_ptr<hw::PacketMonitor>> to_switch;
  std::unique_ptr<hw::PacketMonitor> from_switch;
};

std::string guide() {
  std::ifstream file(FREDSIM_SOURCE_DIR "/docs/testbench-guide.md");
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

/// `mistake` throws an exception that says `message`, and so does the guide.
void expect_said(const std::string& message, const std::function<void()>& mistake) {
  EXPECT_NE(guide().find("`" + message + "`"), std::string::npos) << "the guide does not say: " << message;
  try {
    mistake();
    ADD_FAILURE() << "nothing was said";
  } catch (const std::exception& error) {
    EXPECT_NE(std::string(error.what()).find(message), std::string::npos) << error.what();
  }
}

/// The same, of what a testbench's thread does.
void expect_said_of(const std::string& message, std::function<void()> thread) {
  sc_core::sc_spawn(std::move(thread));
  expect_said(message, [] { sc_core::sc_start(); });
}

TEST(GuideMessages, SecondSimulation) {
  sc_core::sc_start(sc_core::SC_ZERO_TIME);
  expect_said("SystemC runs one simulation a process", [] { hw::Environment environment(1); });
}

TEST(GuideMessages, UnboundSocket) {
  const hw::Terminator nothing("nothing");
  expect_said("complete binding failed: port not bound: port 'nothing.in_port_0'",
              [] { sc_core::sc_start(); });
}

TEST(GuideMessages, PacketAtATerminator) {
  hw::Environment environment(1);
  hw::Terminator one("one"), other("other");
  one.out.bind(other.in);
  other.out.bind(one.in);
  hw::PacketHeader header;
  const hw::PacketRef packet = environment.packets.make(header, 0, nullptr, 0);
  EXPECT_THROW(one.out.send(*packet, hw::now()), hw::InternalError);
}

TEST(GuideMessages, NoCreditSeenByAMonitor) {
  Bench bench;
  expect_said_of("rule credit: packet 2 of flow 0", [&] {
    for (std::uint64_t k = 0; k < 3; ++k) bench.send(0, bench.header(k)), Bench::wait_for_tail();
  });
}

TEST(GuideMessages, NoCreditSeenByABuffer) {
  Bench bench(1, false);
  expect_said_of("it was sent without credit", [&] {
    for (std::uint64_t k = 0; k < 3; ++k) bench.send(0, bench.header(k)), Bench::wait_for_tail();
  });
}

TEST(GuideMessages, TooEarly) {
  Bench bench;
  expect_said_of("rule bandwidth", [&] {
    bench.send(0, bench.header(0));
    bench.send(0, bench.header(1));
  });
}

TEST(GuideMessages, Sequence) {
  Bench bench;
  expect_said_of("rule sequence: packet 0 of flow 0", [&] {
    for (int k = 0; k < 2; ++k) bench.send(0, bench.header()), Bench::wait_for_tail();
  });
}

TEST(GuideMessages, PacketWrittenInFlight) {
  Bench bench;
  expect_said_of("rule read_only: packet 0 of flow 0", [&] {
    const hw::PacketRef packet = bench.send(0, bench.header());
    packet->get_data_ptr()[0] ^= 1;
    bench.send(1, bench.header());
  });
}

TEST(GuideMessages, UnknownFlow) {
  Bench bench;
  expect_said_of("port 0 holds a packet of flow 7, which is not in the plan of this switch", [&] {
    hw::PacketHeader header = bench.header();
    header.flow = hw::FlowId(7);
    bench.send(0, header);
  });
}

TEST(GuideMessages, WrongChannel) {
  Bench bench;
  expect_said_of("port 0 holds a packet of flow 0 on vc mp, where that flow does not come in", [&] {
    hw::PacketHeader header = bench.header();
    header.vc = hw::VirtualChannel::mp;
    bench.send(0, header);
  });
}

TEST(GuideMessages, FlowsThatDoNotFit) {
  expect_said("output port 9 does not exist; FRED_3(2) has ports 0 to 1", [] {
    sw::PlanBuilder(2, 3).flow(hw::VirtualChannel::dp, {{PortId(0)}, {PortId(9)}});
  });
  EXPECT_THROW(sw::PlanBuilder(2, 3).unicast(hw::VirtualChannel::dp, PortId(0), PortId(9)), hw::InputError);
  EXPECT_THROW(sw::PlanBuilder(2, 3).barrier({PortId(0), PortId(9)}), hw::InputError);
}

TEST(GuideMessages, FlowsThatDoNotRouteTogether) {
  // FRED sec. 5.3: three pairs that meet at one input micro-switch each cannot be colored with two colors.
  const auto pair = [](std::uint32_t a, std::uint32_t b) {
    const std::vector<PortId> members = {PortId(a), PortId(b)};
    return sw::PortFlow{members, members};
  };
  EXPECT_THROW(sw::PlanBuilder(8, 2).route_set(hw::VirtualChannel::dp, {pair(0, 2), pair(1, 5), pair(3, 4)}),
               hw::InputError);
}

TEST(GuideMessages, TooManyFlows) {
  Bench bench(0);
  expect_said_of("flow 0 is unknown: this simulation has 0 flows", [&] {
    bench.send(0, bench.header());
    bench.send(1, bench.header());
  });
}

TEST(GuideMessages, TimeInThePast) {
  Bench bench(1, false);
  expect_said_of("packets and credits are sent for now or later, not for 500 ps", [&] {
    sc_core::wait(hw::to_sc(hw::parse_time("1 ns")));
    bench.send(0, bench.header(), hw::parse_time("0.5 ns"));
  });
}

TEST(GuideMessages, ForgottenCredit) {
  Bench bench;
  bench.drivers[0]->credits = false;
  sc_core::sc_spawn([&] {
    bench.send(0, bench.header());
    bench.send(1, bench.header());
  });
  sc_core::sc_start();
  for (const auto& monitor : bench.to_switch) monitor->finish();
  expect_said("rule credits_home", [&] { bench.from_switch->finish(); });
}

}  // namespace
}  // namespace fredsim
