// What the routing search finds, laid into both interconnects and fired with FP16 data that rounds: exactly
// the flow's sum arrives at exactly its outputs, and both abstractions agree to the bit and the femtosecond.
#include <gtest/gtest.h>

#include <Eigen/Core>
#include <algorithm>
#include <map>
#include <memory>
#include <optional>
#include <random>

#include "switch/fabric/compiled_interconnect.h"
#include "switch/fabric/micro_switch_interconnect.h"
#include "switch/route/policy.h"
#include "tb/tests/link/bench.h"

namespace fredsim::test {
namespace {

using hw::PacketRef;
using hw::PortId;
using sw::CircuitId;
using sw::Emergence;
using sw::PortFlow;

constexpr std::size_t elements = 24;
using Vector = std::vector<Eigen::half>;

/// The sum as the structure must take it: neighbours 2i and 2i + 1 first, the lower on the left, then their
/// sums, and so on up.
Vector expected_sum(std::vector<std::optional<Vector>> level) {
  while (level.size() > 1) {
    std::vector<std::optional<Vector>> next;
    for (std::size_t i = 0; i < level.size(); i += 2) {
      next.push_back(level[i]);
      if (i + 1 == level.size() || !level[i + 1]) continue;
      if (!next.back()) {
        next.back() = level[i + 1];
        continue;
      }
      for (std::size_t e = 0; e < elements; ++e) (*next.back())[e] = (*next.back())[e] + (*level[i + 1])[e];
    }
    level = std::move(next);
  }
  return *level[0];
}

/// Flows with disjoint ports: all-reduces, reductions, multicasts, unicasts and flows of unlike sides, until
/// the ports or the appetite are used up.
std::vector<PortFlow> random_flows(std::uint32_t ports, std::mt19937& random) {
  std::vector<std::uint32_t> in(ports), out(ports);
  for (std::uint32_t p = 0; p < ports; ++p) in[p] = out[p] = p;
  std::shuffle(in.begin(), in.end(), random);
  if (random() % 2) {
    out = in;
  } else {
    std::shuffle(out.begin(), out.end(), random);
  }
  const std::uint32_t largest = 1 + static_cast<std::uint32_t>(random() % ports);
  std::vector<PortFlow> flows;
  while (!in.empty() && !out.empty()) {
    const std::uint32_t kind = random() % 5;
    const std::uint32_t size = 1 + static_cast<std::uint32_t>(random() % largest);
    const std::uint32_t inputs = kind == 1 || kind == 2 ? 1 : size;
    const std::uint32_t outputs = kind == 1 || kind == 3 ? 1 : kind == 4 ? 1 + random() % largest : size;
    const auto take = [](std::vector<std::uint32_t>& from, std::uint32_t n) {
      std::vector<PortId> taken;
      for (; n > 0 && !from.empty(); --n, from.pop_back()) taken.emplace_back(from.back());
      std::sort(taken.begin(), taken.end());
      return taken;
    };
    flows.push_back({take(in, inputs), take(out, outputs)});
    if (random() % 8 == 0) break;
  }
  return flows;
}

struct Size {
  std::uint32_t ports;
  std::uint32_t middle;
};
void PrintTo(const Size& size, std::ostream* out) {
  *out << "FRED_" << size.middle << "(" << size.ports << ")";
}

class Replay : public testing::TestWithParam<Size> {
 protected:
  static constexpr std::size_t rounds = 40;

  Replay()
      : structure(GetParam().ports, GetParam().middle),
        modules("interconnect", bench.context, "interconnect", structure, hop, bandwidth,
                sw::make_micro_switch),
        compiled(bench.context, "compiled", structure, hop) {}

  /// A packet of normal numbers over many binades, so that sums round.
  std::pair<PacketRef, Vector> operand(std::uint32_t flow) {
    hw::PacketHeader header;
    header.flow = hw::FlowId(flow);
    header.wire_bytes = 6 + 2 * elements;
    header.injected = hw::Time::fs(static_cast<std::int64_t>(random() % 1000));
    const PacketRef packet = bench.packets.make_with_room(header, 0, 2 * elements);
    Vector values(elements);
    for (Eigen::half& value : values) {
      const float mantissa = 1.0f + static_cast<float>(random() % 1024) / 1024.0f;
      const float sign = random() % 2 ? 1.0f : -1.0f;
      value = Eigen::half(sign * std::ldexp(mantissa, static_cast<int>(random() % 12) - 6));
    }
    std::memcpy(packet->get_data_ptr(), values.data(), 2 * elements);
    return {packet, values};
  }

  void fire_and_check(CircuitId circuit, const PortFlow& flow) {
    std::vector<PacketRef> operands;
    std::vector<std::optional<Vector>> by_port(GetParam().ports);
    hw::Time last_injected;
    for (const PortId port : flow.inputs) {
      auto [packet, values] = operand(circuit);
      last_injected = std::max(last_injected, packet.header().injected);
      operands.push_back(packet);
      by_port[port.value] = std::move(values);
    }
    const Vector sum = expected_sum(by_port);
    std::vector<Emergence> emerged[2];
    modules.fire(circuit, operands, emerged[0]);
    compiled.fire(circuit, operands, emerged[1]);
    for (std::vector<Emergence>& some : emerged) {
      std::sort(some.begin(), some.end(),
                [](const Emergence& a, const Emergence& b) { return a.output < b.output; });
      ASSERT_EQ(some.size(), flow.outputs.size());
      for (std::size_t o = 0; o < some.size(); ++o) {
        EXPECT_EQ(some[o].output, flow.outputs[o]);
        EXPECT_EQ(some[o].at, hw::now() + hop * structure.stages());
        EXPECT_EQ(some[o].packet.header().injected, last_injected);
        EXPECT_EQ(some[o].packet.header().source, operands[0].header().source);
        ASSERT_EQ(std::memcmp(some[o].packet->get_data_ptr(), sum.data(), 2 * elements), 0)
            << to_string(flow) << " at output " << some[o].output.value;
      }
    }
  }

  const hw::Time hop = ns(0.2);
  const hw::Bandwidth bandwidth = hw::Bandwidth::bytes_per_second(3'000'000'000'000);
  std::mt19937 random{7 * GetParam().ports + GetParam().middle};
  Bench bench;
  sw::Structure structure;
  sw::MicroSwitchInterconnect modules;
  sw::CompiledInterconnect compiled;
};

TEST_P(Replay, EveryRoutedSetGivesItsSums) {
  sw::SearchLimits limits;
  limits.explain = false;
  struct Laid {
    CircuitId circuit;
    PortFlow flow;
  };
  std::vector<Laid> laid;
  std::size_t reductions = 0;
  for (std::size_t round = 0; round < rounds; ++round) {
    const std::vector<PortFlow> flows = random_flows(GetParam().ports, random);
    // A set that does not route as a whole is replayed turn by turn.
    for (const sw::RoutedGroup& group : sw::turns(structure, flows, limits)) {
      for (std::size_t i = 0; i < group.flows.size(); ++i) {
        const auto circuit = static_cast<CircuitId>(laid.size());
        const PortFlow& flow = flows[group.flows[i]];
        modules.lay(circuit, flow, group.routes[i]);
        compiled.lay(circuit, flow, group.routes[i]);
        laid.push_back({circuit, flow});
        reductions += flow.inputs.size() - 1;
      }
    }
  }
  std::shuffle(laid.begin(), laid.end(), random);  // circuits do not disturb each other
  simulate([&] {
    for (const Laid& one : laid) {
      fire_and_check(one.circuit, one.flow);
      wait_until(hw::now() + ns(1.5));
    }
  });
  EXPECT_EQ(modules.counts().reductions, reductions);
  EXPECT_EQ(compiled.counts().reductions, reductions);
  EXPECT_EQ(modules.counts().distributions, compiled.counts().distributions);
  EXPECT_EQ(modules.counts().forwards, compiled.counts().forwards);
  EXPECT_EQ(bench.packets.in_flight(), 0u);  // nothing stays latched
}

TEST_P(Replay, LayingACircuitAgainReplacesIt) {
  const PortFlow first{{PortId(0), PortId(1)}, {PortId(0), PortId(1)}};
  const PortFlow second{{PortId(1)}, {PortId(0)}};
  for (sw::Interconnect* interconnect :
       {static_cast<sw::Interconnect*>(&modules), static_cast<sw::Interconnect*>(&compiled)}) {
    interconnect->lay(0, first, sw::route(structure, {first}).routes[0]);
    sw::Route other = sw::route(structure, {second}).routes[0];
    for (std::uint8_t& color : other.colors) color = static_cast<std::uint8_t>(GetParam().middle - 1);
    interconnect->lay(0, second, other);
  }
  simulate([&] { fire_and_check(0, second); });
}

std::vector<Size> sizes() {
  std::vector<Size> all;
  for (std::uint32_t p = 2; p <= 20; ++p) {
    all.push_back({p, 2});
    all.push_back({p, 3});
  }
  for (std::uint32_t p : {5u, 16u, 23u, 32u, 33u, 48u, 63u, 64u}) all.push_back({p, 4});
  return all;
}

INSTANTIATE_TEST_SUITE_P(Fred, Replay, testing::ValuesIn(sizes()), [](const auto& of) {
  return "m" + std::to_string(of.param.middle) + "_p" + std::to_string(of.param.ports);
});

}  // namespace
}  // namespace fredsim::test
