#include "tb/plan/switch_traffic.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>
#include <set>

#include "tb/plan/expected_traffic.h"
#include "tb/plan/plan.h"
#include "tb/tests/plan/workloads.h"

namespace fredsim::tb {
namespace {

using hw::OperationType;
using testing::WorkloadBuilder;

/// Which sources' operands a packet holds, and how often.
using Content = std::multiset<std::uint32_t>;

/// Where every input port's packet comes from: an NPU, or the output port of another switch.
struct Wiring {
  explicit Wiring(const sw::Tree& tree) {
    for (std::uint32_t n = 0; n < tree.npus(); ++n) {
      const sw::TreePort port = tree.npu_port(hw::NpuId(n));
      npu_at[{port.node, port.port.value}] = n;
    }
    for (std::uint32_t s = 0; s < tree.switches().size(); ++s) {
      const sw::TreeSwitch& node = tree.switches()[s];
      for (std::uint32_t u = 0; u < node.up_ports; ++u) {
        const sw::TreePort up{s, hw::PortId(node.first_up_port() + u)};
        const sw::TreePort down = tree.above(up);
        peer[{s, up.port.value}] = {down.node, down.port.value};
        peer[{down.node, down.port.value}] = {s, up.port.value};
      }
    }
  }
  using Port = std::pair<std::uint32_t, std::uint32_t>;
  std::map<Port, std::uint32_t> npu_at;
  std::map<Port, Port> peer;
};

/// Sends one packet of a flow through the passages of a plan, one after the other as their inputs come in.
class Walk {
 public:
  Walk(const Plan& plan, const sw::Tree& tree, const Wiring& wiring, hw::FlowId flow)
      : plan_(plan), tree_(tree), wiring_(wiring), flow_(flow) {}

  void run() {
    const hw::Flow& flow = plan_.flows[flow_.value];
    for (const hw::NpuId source : flow.sources) {
      const sw::TreePort port = tree_.npu_port(source);
      at_input_[{port.node, port.port.value}] = {source.value};
    }
    bool moved = true;
    while (moved) {
      moved = false;
      for (std::uint32_t s = 0; s < plan_.switches.size(); ++s) {
        for (const sw::SwitchFlow& passage : plan_.switches[s].flows) {
          if (passage.flow == flow_ && fired_.insert(&passage).second) {
            if (fire(s, passage)) {
              moved = true;
            } else {
              fired_.erase(&passage);
            }
          }
        }
      }
    }
  }

  std::map<std::uint32_t, Content> delivered;  ///< by NPU
  std::size_t left() const { return at_input_.size(); }
  std::size_t passages_not_fired() const {
    std::size_t count = 0;
    for (const sw::SwitchPlan& plan : plan_.switches) {
      for (const sw::SwitchFlow& passage : plan.flows)
        count += passage.flow == flow_ && fired_.count(&passage) == 0;
    }
    return count;
  }

 private:
  bool fire(std::uint32_t s, const sw::SwitchFlow& passage) {
    Content sum;
    for (const hw::PortId input : passage.ports.inputs) {
      const auto found = at_input_.find({s, input.value});
      if (found == at_input_.end()) return false;
      sum.insert(found->second.begin(), found->second.end());
    }
    for (const hw::PortId input : passage.ports.inputs) at_input_.erase({s, input.value});
    for (const hw::PortId output : passage.ports.outputs) {
      const Wiring::Port port{s, output.value};
      const auto npu = wiring_.npu_at.find(port);
      if (npu != wiring_.npu_at.end()) {
        EXPECT_EQ(delivered.count(npu->second), 0u) << "a second packet for NPU " << npu->second;
        delivered[npu->second] = sum;
      } else {
        const Wiring::Port next = wiring_.peer.at(port);
        EXPECT_EQ(at_input_.count(next), 0u);
        at_input_[next] = sum;
      }
    }
    return true;
  }

  const Plan& plan_;
  const sw::Tree& tree_;
  const Wiring& wiring_;
  hw::FlowId flow_;
  std::map<Wiring::Port, Content> at_input_;
  std::set<const sw::SwitchFlow*> fired_;
};

void check_plan(const Plan& plan, const sw::Tree& tree) {
  const Wiring wiring(tree);
  for (std::uint32_t f = 0; f < plan.flows.size(); ++f) {
    const hw::Flow& flow = plan.flows[f];
    SCOPED_TRACE(::testing::Message() << "flow " << f << " of operation " << flow.operation.value);
    Walk walk(plan, tree, wiring, hw::FlowId(f));
    walk.run();
    EXPECT_EQ(walk.left(), 0u) << "packets go where no passage takes them";
    EXPECT_EQ(walk.passages_not_fired(), 0u);
    Content all;
    for (const hw::NpuId source : flow.sources) all.insert(source.value);
    std::map<std::uint32_t, Content> expected;
    for (const hw::NpuId to : flow.destinations) expected[to.value] = all;
    EXPECT_EQ(walk.delivered, expected);
  }
  for (std::uint32_t s = 0; s < plan.switches.size(); ++s) {
    const sw::SwitchPlan& at = plan.switches[s];
    const sw::TreeSwitch& node = tree.switches()[s];
    EXPECT_EQ(at.ports, node.ports());
    EXPECT_TRUE(std::is_sorted(at.flows.begin(), at.flows.end(),
                               [](const auto& a, const auto& b) { return a.flow < b.flow; }));
    for (const sw::SwitchFlow& passage : at.flows) {
      const hw::Flow& flow = plan.flows[passage.flow.value];
      const FlowKind kind = kind_of(flow);
      const bool from_above = passage.ports.inputs.front().value >= node.first_up_port();
      const bool to_above = passage.ports.outputs.back().value >= node.first_up_port();
      if (from_above) {
        EXPECT_EQ(passage.ports.inputs.size(), 1u) << "what comes down is only copied";
      }
      if (kind != FlowKind::control && to_above) {
        // All that its stripes send by the same up port is one turn.
        std::uint64_t packets = 0;
        for (const sw::SwitchFlow& other : at.flows) {
          const hw::Flow& of = plan.flows[other.flow.value];
          if (of.operation == flow.operation && of.part == flow.part &&
              other.ports.outputs.back() == passage.ports.outputs.back())
            packets += packets_of(of, {});
        }
        EXPECT_EQ(passage.up_packets, packets);
        EXPECT_EQ(passage.first_stripe.value, passage.flow.value - flow.stripe);
        hw::Group members = flow.sources;
        members.insert(members.end(), flow.destinations.begin(), flow.destinations.end());
        const bool turns_next = tree.level_above(members) == node.level + 1;
        EXPECT_EQ(passage.in_turn, kind == FlowKind::reduction || !turns_next);
      } else {
        EXPECT_EQ(passage.up_packets, 0u);
      }
      if (kind == FlowKind::unicast || kind == FlowKind::control) {
        EXPECT_EQ(passage.route_set, 0u);
        continue;
      }
      ASSERT_GT(passage.route_set, 0u);
      const sw::RouteSet& set = at.route_sets.at(passage.route_set);
      const sw::PortFlow& routed = set.flows.at(passage.index);
      EXPECT_TRUE(std::includes(routed.inputs.begin(), routed.inputs.end(), passage.ports.inputs.begin(),
                                passage.ports.inputs.end()));
      EXPECT_TRUE(std::includes(routed.outputs.begin(), routed.outputs.end(), passage.ports.outputs.begin(),
                                passage.ports.outputs.end()));
    }
    for (std::size_t i = 1; i < at.route_sets.size(); ++i) {
      EXPECT_TRUE(sw::route(sw::Structure(at.ports, at.middle), at.route_sets[i].flows).routed());
    }
  }
}

sw::TreeShape random_shape(std::mt19937& random) {
  sw::TreeShape shape;
  shape.leaf_npus = 1 + random() % 5;
  const std::uint32_t upper = random() % 4;
  for (std::uint32_t i = 0; i < upper; ++i) {
    sw::TreeShape::Level level;
    level.children = 2 + random() % 3;
    level.planes = 1 + random() % 4;
    shape.upper.push_back(level);
  }
  if (upper == 0) shape.leaf_npus += 1;
  shape.io_controllers = random() % 7;
  return shape;
}

TEST(SwitchTraffic, EveryFlowReachesItsDestinationsOnceWithEveryOperandOnce) {
  const OperationType types[] = {
      OperationType::all_reduce, OperationType::reduce_scatter, OperationType::all_gather,
      OperationType::reduce,     OperationType::broadcast,      OperationType::scatter,
      OperationType::gather,     OperationType::all_to_all,     OperationType::barrier};
  for (std::uint32_t seed = 1; seed <= 60; ++seed) {
    SCOPED_TRACE(::testing::Message() << "seed " << seed);
    std::mt19937 random(seed);
    PlanOptions options;
    options.tree = random_shape(random);
    options.conflict = ConflictPolicy::block;
    options.route_memory = hw::Capacity::unlimited();
    const sw::Tree tree(options.tree);
    WorkloadBuilder b(tree.npus());
    for (int i = 0; i < 4; ++i) {
      std::vector<std::uint32_t> group;
      for (std::uint32_t n = 0; n < tree.npus(); ++n) {
        if (random() % 2 == 0) group.push_back(n);
      }
      if (group.empty()) group.push_back(random() % tree.npus());
      if (group.size() > 12) group.resize(12);
      std::shuffle(group.begin(), group.end(), random);
      const OperationType type = types[random() % 9];
      const std::uint64_t bytes = type == OperationType::barrier ? 0 : random() % 40'000;
      const auto o = b.add("o" + std::to_string(i), type, group, bytes);
      b.at(o).root = hw::NpuId(group.front());
      b.at(o).traffic_class = static_cast<hw::TrafficClass>(random() % 3);
    }
    b.add_message("m", random() % tree.npus(), random() % tree.npus(), 1 + random() % 40'000);
    check_plan(make_plan(b.workload(), options), tree);
  }
}

/// On the wafer each L1 needs a route set for the way down to each of its NPUs, with the one way up in all of
/// them.
TEST(SwitchTraffic, RouteSetsOfAWaferWideReduceScatter) {
  PlanOptions options;
  options.tree.leaf_npus = 4;
  options.tree.upper = {{5, 4}};
  options.tree.io_controllers = 18;
  WorkloadBuilder b(20);
  std::vector<std::uint32_t> all;
  for (std::uint32_t n = 0; n < 20; ++n) all.push_back(n);
  b.add("rs", OperationType::reduce_scatter, all, 1 << 20);
  const Plan plan = make_plan(b.workload(), options);
  ASSERT_EQ(plan.switches.size(), 9u);
  for (std::size_t l1 = 0; l1 < 5; ++l1) EXPECT_EQ(plan.switches[l1].route_sets.size() - 1, 4u);
  for (std::size_t l2 = 5; l2 < 9; ++l2) EXPECT_EQ(plan.switches[l2].route_sets.size() - 1, 5u);
}

}  // namespace
}  // namespace fredsim::tb
