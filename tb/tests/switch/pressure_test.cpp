// Random traffic of all classes and barriers through a switch whose receivers hold it back at random, with
// small random buffers: everything arrives once, in order on each channel, with the right sums, and the
// monitors (they throw) have nothing to say. The two abstractions run side by side and agree to the
// femtosecond.
#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "tb/tests/switch/switch_bench.h"

namespace fredsim::test {
namespace {

using hw::FlowId;
using hw::Time;
using hw::VirtualChannel;

struct Traffic {
  struct Burst {
    Time at;
    std::uint32_t port;
    FlowId flow;
    std::uint64_t packets;
  };
  std::vector<Burst> bursts;
  std::vector<std::uint64_t> packets_of_flow;
};

class Pressure : public testing::TestWithParam<std::uint32_t> {
 protected:
  std::mt19937 random{GetParam()};
  std::uint32_t below(std::uint32_t n) { return static_cast<std::uint32_t>(random() % n); }

  std::vector<std::uint32_t> some_ports(std::uint32_t port_count, std::uint32_t size) {
    std::vector<std::uint32_t> all(port_count);
    for (std::uint32_t p = 0; p < port_count; ++p) all[p] = p;
    std::shuffle(all.begin(), all.end(), random);
    all.resize(size);
    std::sort(all.begin(), all.end());
    return all;
  }

  PlanBuilder random_plan() {
    const std::uint32_t port_count = 4 + below(7);
    PlanBuilder plan(port_count, 2 + below(2));
    for (int k = 0; k < 24; ++k) {
      const auto vc = static_cast<VirtualChannel>(below(3));
      const std::uint32_t in = 1 + below(port_count), out = 1 + below(port_count);
      switch (below(5)) {
        case 0:
          plan.barrier(some_ports(port_count, 1 + below(port_count)));
          break;
        case 1:
          plan.unicast(vc, below(port_count), below(port_count));
          break;
        case 2:
          plan.flow(vc, all_reduce(some_ports(port_count, in)));
          break;
        case 3:  // two in one route set, each in its own half
          plan.flows({{vc, all_reduce({0, 1})}, {static_cast<VirtualChannel>(below(3)), all_reduce({2, 3})}});
          break;
        default:
          plan.flow(vc, {ports(some_ports(port_count, in)), ports(some_ports(port_count, out))});
      }
    }
    return plan;
  }

  /// Every source sends the flows of a channel in the plan's order, as NPUs do, in bursts with random pauses.
  Traffic random_traffic(const sw::SwitchPlan& plan) {
    Traffic traffic;
    for (const sw::SwitchFlow& flow : plan.flows)
      traffic.packets_of_flow.push_back(flow.vc == VirtualChannel::control ? 1 : 1 + below(25));
    for (std::uint32_t port = 0; port < plan.ports; ++port) {
      std::array<Time, hw::virtual_channels> next{};
      for (const sw::SwitchFlow& flow : plan.flows) {
        const auto& inputs = flow.ports.inputs;
        if (std::find(inputs.begin(), inputs.end(), hw::PortId(port)) == inputs.end()) continue;
        for (std::uint64_t left = traffic.packets_of_flow[flow.flow.value]; left > 0;) {
          const std::uint64_t burst = std::min<std::uint64_t>(left, 1 + below(8));
          Time& at = next[hw::index(flow.vc)];
          at += Time::fs(below(6'000'000));
          traffic.bursts.push_back({at, port, flow.flow, burst});
          left -= burst;
        }
      }
    }
    std::stable_sort(traffic.bursts.begin(), traffic.bursts.end(),
                     [](const auto& a, const auto& b) { return a.at < b.at; });
    return traffic;
  }

  SwitchBench::Options random_options() {
    SwitchBench::Options options;
    for (hw::Capacities* room : {&options.buffers, &options.receiver}) {
      for (hw::Capacity& capacity : *room)
        capacity = below(6) == 0 ? hw::Capacity::unlimited() : hw::Capacity::bytes(4096 + below(4 * 4096));
    }
    const bool preempts = below(2) == 0;
    const std::uint32_t staging = 1 + below(4);
    std::vector<std::uint64_t> rates;  // some ports are slow
    for (int p = 0; p < 16; ++p) rates.push_back(below(4) == 0 ? 1'024'000'000'000 : 4'096'000'000'000);
    options.adjust = [=](sw::SwitchConfig& config) {
      config.preemption = preempts;
      config.staging = staging;
      for (std::size_t p = 0; p < config.ports.size(); ++p)
        config.ports[p].in_bandwidth = config.ports[p].out_bandwidth =
            hw::Bandwidth::bytes_per_second(rates[p]);
    };
    return options;
  }

  /// How long a receiver holds a packet depends on the packet alone, so it is the same for both abstractions.
  std::function<Time(const hw::PacketHeader&)> random_hold() {
    const std::uint32_t longest = below(3) == 0 ? 1 : 15'000'000;
    const std::uint32_t salt = below(1'000'000);
    return [=](const hw::PacketHeader& header) {
      std::mt19937 of_packet(salt + 1009 * header.flow.value + static_cast<std::uint32_t>(header.sequence));
      return Time::fs(static_cast<std::int64_t>(of_packet() % longest));
    };
  }

  void check(SwitchBench& tb, const Traffic& traffic) {
    tb.finish_monitors();
    EXPECT_TRUE(tb.fred->missing_partners().empty());
    const sw::SwitchPlan& plan = tb.fred->plan();
    for (std::uint32_t port = 0; port < plan.ports; ++port) {
      std::vector<std::uint64_t> received(plan.flows.size());
      std::array<Time, hw::virtual_channels> last{};
      for (const Receiver::Arrival& arrival : tb.receivers[port]->arrivals) {
        const FlowId flow = arrival.header.flow;
        ASSERT_EQ(arrival.header.sequence, received[flow.value]++) << "flow " << flow.value;
        ASSERT_GE(arrival.head, last[hw::index(arrival.header.vc)]);
        last[hw::index(arrival.header.vc)] = arrival.head;
        if (arrival.header.vc == VirtualChannel::control) continue;
        std::uint32_t value;
        std::memcpy(&value, arrival.packet->get_data_ptr(), 4);
        ASSERT_EQ(value, tb.expected(flow, arrival.header.sequence)) << "flow " << flow.value;
      }
      for (const sw::SwitchFlow& flow : plan.flows) {
        const auto& outputs = flow.ports.outputs;
        const bool due = std::find(outputs.begin(), outputs.end(), hw::PortId(port)) != outputs.end();
        EXPECT_EQ(received[flow.flow.value], due ? traffic.packets_of_flow[flow.flow.value] : 0)
            << "flow " << flow.flow.value << " at output " << port;
      }
      for (std::size_t vc = 0; vc < hw::virtual_channels; ++vc)
        EXPECT_TRUE(tb.fred->input(hw::PortId(port)).buffer(static_cast<VirtualChannel>(vc)).empty());
      // Nothing is there any more, and the switch says so by transport_dbg.
      EXPECT_EQ(tb.senders[port]->transmitter.out.status().occupancy_bytes, (std::array<std::uint64_t, 4>{}));
    }
  }
};

TEST_P(Pressure, LosesNothingAndKeepsTheOrder) {
  const PlanBuilder plan = random_plan();
  const Traffic traffic = random_traffic(plan.plan());
  SwitchBench::Options options = random_options();
  const auto hold = random_hold();
  options.name = "a";
  SwitchBench a(plan, options);
  options.name = "b";
  options.abstraction = SwitchBench::Abstraction::microswitch;
  SwitchBench b(plan, options);
  for (SwitchBench* tb : {&a, &b}) {
    for (auto& receiver : tb->receivers) {
      receiver->hold = hold;
      receiver->keep = true;
    }
  }
  simulate([&] {
    for (const Traffic::Burst& burst : traffic.bursts) {
      wait_until(burst.at);
      a.send(burst.port, burst.flow, burst.packets);
      b.send(burst.port, burst.flow, burst.packets);
    }
  });
  check(a, traffic);
  check(b, traffic);
  for (std::size_t p = 0; p < a.receivers.size(); ++p) {
    const auto &x = a.receivers[p]->arrivals, &y = b.receivers[p]->arrivals;
    ASSERT_EQ(x.size(), y.size());
    for (std::size_t k = 0; k < x.size(); ++k) {
      ASSERT_EQ(x[k].header, y[k].header);
      ASSERT_EQ(x[k].head, y[k].head);
    }
  }
  EXPECT_EQ(a.fred->statistics().reconfigurations, b.fred->statistics().reconfigurations);
  EXPECT_EQ(a.fred->micro_switch_counts().reductions, b.fred->micro_switch_counts().reductions);
  EXPECT_EQ(a.fred->micro_switch_counts().distributions, b.fred->micro_switch_counts().distributions);
  EXPECT_EQ(a.fred->micro_switch_counts().forwards, b.fred->micro_switch_counts().forwards);
}

INSTANTIATE_TEST_SUITE_P(Seed, Pressure, testing::Range(1u, 41u));

}  // namespace
}  // namespace fredsim::test
