#include <gtest/gtest.h>

#include <map>
#include <random>
#include <set>

#include "switch/route/search.h"
#include "switch/route/settings.h"
#include "tb/plan/plan.h"
#include "tb/tests/plan/workloads.h"

namespace fredsim::tb {
namespace {

using hw::OperationId;
using hw::OperationType;
using testing::WorkloadBuilder;

/// What a control unit relies on: flows find themselves in their set, and the flows of a set share no port
/// and, with the routes given, no wire.
void check(const Plan& plan) {
  ASSERT_EQ(plan.switches.size(), 1u);
  const sw::SwitchPlan& plan_of_switch = plan.switches[0];
  const sw::Structure structure(plan_of_switch.ports, plan_of_switch.middle);
  ASSERT_FALSE(plan_of_switch.route_sets.empty());
  EXPECT_TRUE(plan_of_switch.route_sets[0].flows.empty());
  for (const sw::RouteSet& set : plan_of_switch.route_sets) {
    ASSERT_EQ(set.flows.size(), set.routes.size());
    sw::check_flows(structure, set.flows);
    std::map<std::uint32_t, std::pair<std::uint32_t, std::uint32_t>> used;  // element: inputs, outputs
    for (std::size_t i = 0; i < set.flows.size(); ++i) {
      for (const sw::ElementSetting& e : sw::settings(structure, set.flows[i], set.routes[i])) {
        auto& [inputs, outputs] = used[e.element];
        EXPECT_EQ(inputs & e.inputs, 0u);
        EXPECT_EQ(outputs & e.outputs, 0u);
        inputs |= e.inputs;
        outputs |= e.outputs;
      }
    }
  }
  ASSERT_EQ(plan_of_switch.flows.size(), plan.flows.size());
  for (std::size_t f = 0; f < plan.flows.size(); ++f) {
    const sw::SwitchFlow& flow = plan_of_switch.flows[f];
    EXPECT_EQ(flow.flow.value, f);
    EXPECT_EQ(flow.vc, plan.flows[f].vc);
    ASSERT_EQ(flow.ports.inputs.size(), plan.flows[f].sources.size());
    for (std::size_t i = 0; i < flow.ports.inputs.size(); ++i) {
      EXPECT_EQ(flow.ports.inputs[i].value, plan.flows[f].sources[i].value);
    }
    for (std::size_t i = 0; i < flow.ports.outputs.size(); ++i) {
      EXPECT_EQ(flow.ports.outputs[i].value, plan.flows[f].destinations[i].value);
    }
    const bool unicast = flow.ports.inputs.size() == 1 && flow.ports.outputs.size() == 1;
    if (unicast || flow.vc == hw::VirtualChannel::control) {
      EXPECT_EQ(flow.route_set, 0u);
    } else {
      ASSERT_NE(flow.route_set, 0u);
      ASSERT_LT(flow.route_set, plan_of_switch.route_sets.size());
      EXPECT_EQ(plan_of_switch.route_sets[flow.route_set].flows[flow.index], flow.ports);
    }
  }
}

std::size_t sets(const Plan& plan) {
  return plan.switches[0].route_sets.size() - 1;
}
std::uint32_t set_of(const Plan& plan, std::size_t flow) {
  return plan.switches[0].flows[flow].route_set;
}

TEST(RouteSets, GroupsAtOnceShareASet) {
  WorkloadBuilder b;
  b.add("a", OperationType::all_reduce, {0, 1}, 100);
  b.add("b", OperationType::all_reduce, {2, 3}, 100);
  b.add("c", OperationType::reduce, {4, 5, 6, 7}, 100);
  b.at(OperationId(2)).root = hw::NpuId(7);
  const Plan plan = make_plan(b.workload(), {});
  check(plan);
  EXPECT_EQ(sets(plan), 1u);
  EXPECT_TRUE(plan.turns.empty());
}

TEST(RouteSets, UnicastsAndBarriersNeedNone) {
  WorkloadBuilder b;
  b.add_message("m", 0, 1, 100);
  b.at(b.add("s", OperationType::scatter, {0, 1, 2}, 100)).root = hw::NpuId(0);
  b.add("t", OperationType::all_to_all, {0, 1, 2}, 100);
  b.add("g", OperationType::all_gather, {0, 1}, 100);
  b.add("b", OperationType::barrier, {0, 1, 2});
  const Plan plan = make_plan(b.workload(), {});
  check(plan);
  EXPECT_EQ(sets(plan), 0u);
}

TEST(RouteSets, ShardsOfAReduceScatterNeedOneEach) {
  WorkloadBuilder b;
  b.add("a", OperationType::reduce_scatter, {0, 1, 2, 3}, 100);
  b.add("b", OperationType::reduce_scatter, {4, 5, 6, 7}, 100);
  const Plan plan = make_plan(b.workload(), {});
  check(plan);
  EXPECT_EQ(sets(plan), 4u);  // those of a and b go in pairs
}

/// Iterations of the same collectives use the same sets again, in every class.
TEST(RouteSets, EqualSetsShareAnIndex) {
  WorkloadBuilder b;
  std::vector<OperationId> before;
  for (int i = 0; i < 10; ++i) {
    const OperationId x =
        b.add("x" + std::to_string(i), OperationType::all_reduce, {0, 1, 2, 3}, 100, before);
    const OperationId y =
        b.add("y" + std::to_string(i), OperationType::all_reduce, {4, 5, 6, 7}, 100, before);
    const OperationId all =
        b.add("z" + std::to_string(i), OperationType::all_reduce, {0, 1, 2, 3, 4, 5, 6, 7}, 100, {x, y});
    b.at(x).traffic_class = b.at(y).traffic_class = i % 2 == 0 ? hw::TrafficClass::mp : hw::TrafficClass::dp;
    before = {all};
  }
  const Plan plan = make_plan(b.workload(), {});
  check(plan);
  EXPECT_EQ(sets(plan), 2u);
}

/// a runs together with b first, with c later; b and c share a port. Each pair has its set.
TEST(RouteSets, FollowWhatIsInFlightTogether) {
  WorkloadBuilder b;
  const OperationId a1 = b.add("a1", OperationType::all_reduce, {0, 1}, 100);
  const OperationId b1 = b.add("b1", OperationType::all_reduce, {2, 3}, 100);
  const OperationId sync = b.add("sync", OperationType::barrier, {0, 1, 2, 3, 4, 5, 6, 7}, 0, {a1, b1});
  b.add("a2", OperationType::all_reduce, {0, 1}, 100, {sync});
  b.add("c2", OperationType::all_reduce, {3, 4}, 100, {sync});
  const Plan plan = make_plan(b.workload(), {});
  check(plan);
  EXPECT_EQ(sets(plan), 2u);
  EXPECT_EQ(set_of(plan, 0), set_of(plan, 1));
  EXPECT_EQ(set_of(plan, 3), set_of(plan, 4));
  EXPECT_NE(set_of(plan, 0), set_of(plan, 3));
}

/// Two independent chains, one behind the other in the file, run side by side.
TEST(RouteSets, DoNotDependOnTheOrderOfTheFile) {
  WorkloadBuilder b;
  for (const std::uint32_t first : {0, 4}) {
    std::vector<OperationId> before;
    for (int i = 0; i < 1000; ++i) {
      before = {b.add(std::to_string(first) + "." + std::to_string(i), OperationType::all_reduce,
                      {first, first + 1, first + 2}, 100, before)};
    }
  }
  const Plan plan = make_plan(b.workload(), {});
  check(plan);
  EXPECT_EQ(sets(plan), 1u);
}

WorkloadBuilder triangle(int times = 1) {
  WorkloadBuilder b;
  std::vector<OperationId> before;
  for (int i = 0; i < times; ++i) {
    std::vector<OperationId> now;
    for (const std::vector<std::uint32_t>& group :
         {std::vector<std::uint32_t>{0, 2}, {1, 5}, {3, 4}, {6, 7}}) {
      now.push_back(b.add("r" + std::to_string(i) + "." + std::to_string(now.size()),
                          OperationType::all_reduce, group, 100, before));
    }
    before = {b.add("sync" + std::to_string(i), OperationType::barrier, {0, 1, 2, 3, 4, 5, 6, 7}, 0, now)};
  }
  return b;
}

TEST(RouteSets, ConflictsTakeTurns) {
  WorkloadBuilder b = triangle(3);
  PlanOptions options;
  options.middle = 2;
  options.conflict = ConflictPolicy::block;
  const Plan plan = make_plan(b.workload(), options);
  check(plan);
  EXPECT_EQ(sets(plan), 2u);
  ASSERT_EQ(plan.turns.size(), 1u);
  EXPECT_EQ(plan.turns[0].operations,
            (std::vector<OperationId>{OperationId(0), OperationId(1), OperationId(2)}));
  EXPECT_EQ(plan.turns[0].times, 3u);
}

TEST(RouteSets, OrderedOperationsDoNotConflict) {
  WorkloadBuilder b;
  const OperationId x = b.add("x", OperationType::all_reduce, {0, 2}, 100);
  const OperationId y = b.add("y", OperationType::all_reduce, {1, 5}, 100);
  b.add("z", OperationType::all_reduce, {3, 4}, 100);
  b.at(OperationId(2)).after_all = {x, y};
  PlanOptions options;
  options.middle = 2;
  const Plan plan = make_plan(b.workload(), options);
  check(plan);
  EXPECT_TRUE(plan.turns.empty());
}

/// c can be in flight with a and with b, but never with both.
TEST(RouteSets, OneAfterAnotherDoesNotConflict) {
  WorkloadBuilder b;
  const OperationId x = b.add("a", OperationType::all_reduce, {0, 2}, 100);
  b.at(b.add("b", OperationType::all_reduce, {1, 5}, 100)).after_all = {x};
  const OperationId first = b.add("first", OperationType::compute, {3});
  const OperationId second = b.add("second", OperationType::compute, {3}, 0, {first});
  b.add("c", OperationType::all_reduce, {3, 4}, 100, {second});
  PlanOptions options;
  options.middle = 2;
  const Plan plan = make_plan(b.workload(), options);
  check(plan);
  EXPECT_TRUE(plan.turns.empty());
}

/// a alone, and a with b: where a is alone, the set of both serves it.
TEST(RouteSets, PartOfASetNeedsNone) {
  WorkloadBuilder b;
  const OperationId x = b.add("a1", OperationType::all_reduce, {0, 1}, 100);
  b.at(b.add("a2", OperationType::all_reduce, {0, 1}, 100)).after = {x};
  b.at(b.add("b2", OperationType::all_reduce, {2, 3}, 100)).after_all = {x};
  const Plan plan = make_plan(b.workload(), {});
  check(plan);
  EXPECT_EQ(sets(plan), 1u);
}

TEST(RouteSets, OfDifferentClassesDoNotConflict) {
  WorkloadBuilder b = triangle();
  b.at(OperationId(0)).traffic_class = hw::TrafficClass::mp;
  b.at(OperationId(1)).traffic_class = hw::TrafficClass::pp;
  PlanOptions options;
  options.middle = 2;
  const Plan plan = make_plan(b.workload(), options);
  check(plan);
  EXPECT_TRUE(plan.turns.empty());
}

/// The same flows in changing company want many sets; a small memory holds them in few.
TEST(RouteSets, ArePackedIntoASmallMemory) {
  WorkloadBuilder b;
  std::vector<OperationId> before;
  for (std::uint32_t i = 0; i < 4; ++i) {
    for (std::uint32_t j = 0; j < 4; ++j) {
      const OperationId x =
          b.add("x" + std::to_string(4 * i + j), OperationType::all_reduce, {i, (i + 1) % 4}, 100, before);
      const OperationId y = b.add("y" + std::to_string(4 * i + j), OperationType::all_reduce,
                                  {4 + j, 4 + (j + 1) % 4}, 100, before);
      before = {b.add("s" + std::to_string(4 * i + j), OperationType::barrier, {0, 1, 2, 3, 4, 5, 6, 7}, 0,
                      {x, y})};
    }
  }
  const Plan roomy = make_plan(b.workload(), {});
  check(roomy);
  EXPECT_EQ(sets(roomy), 16u);
  EXPECT_FALSE(roomy.packed.at(0));
  PlanOptions options;
  options.route_memory = hw::Capacity::bytes(116 * 15 / 8);
  const Plan tight = make_plan(b.workload(), options);
  check(tight);
  EXPECT_TRUE(tight.packed.at(0));
  EXPECT_LE(sets(tight), 4u);
}

/// With m = 3 and nothing but time to order them, all routable companions that pairwise share no port end up
/// together.
TEST(RouteSets, RandomWorkloadsKeepTheRules) {
  for (std::uint32_t seed = 1; seed <= 30; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    std::mt19937 random(seed);
    WorkloadBuilder b(12);
    const std::vector<OperationType> types = {OperationType::all_reduce, OperationType::reduce,
                                              OperationType::broadcast,  OperationType::reduce_scatter,
                                              OperationType::all_gather, OperationType::scatter,
                                              OperationType::gather,     OperationType::all_to_all,
                                              OperationType::barrier,    OperationType::compute};
    for (int i = 0; i < 80; ++i) {
      std::vector<std::uint32_t> all = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11};
      std::shuffle(all.begin(), all.end(), random);
      const OperationType type = types[random() % types.size()];
      all.resize(type == OperationType::compute ? 1 : 1 + random() % 6);
      const OperationId o = b.add("o" + std::to_string(i), type, all, 1 + random() % 10000);
      b.at(o).root = hw::NpuId(all[random() % all.size()]);
      b.at(o).traffic_class = static_cast<hw::TrafficClass>(random() % 3);
      for (std::uint32_t e = 0; i > 0 && e < random() % 3; ++e) b.at(o).after_all.emplace_back(random() % i);
    }
    for (const std::uint32_t middle : {2, 3}) {
      PlanOptions options;
      options.tree = sw::single_switch(12);
      options.middle = middle;
      options.conflict = ConflictPolicy::block;
      check(make_plan(b.workload(), options));
    }
  }
}

/// A training-like trace of 20000 operations; that it is planned at all within the test's time is the point.
TEST(RouteSets, LongTracesArePlanned) {
  WorkloadBuilder b;
  std::vector<OperationId> before;
  const std::vector<std::vector<std::uint32_t>> pairs = {{0, 1}, {2, 3}, {4, 5}, {6, 7}};
  const std::vector<std::vector<std::uint32_t>> fours = {{0, 2, 4, 6}, {1, 3, 5, 7}};
  for (int i = 0; b.workload().operations.size() < 20'000; ++i) {
    std::vector<OperationId> now;
    for (const auto& pair : pairs) {
      std::vector<OperationId> own;
      for (const std::uint32_t n : pair) {
        own.push_back(
            b.add("c" + std::to_string(i) + "." + std::to_string(n), OperationType::compute, {n}, 0, before));
      }
      const OperationId mp = b.add("mp" + std::to_string(i) + "." + std::to_string(pair[0]),
                                   OperationType::all_reduce, pair, 4096, own);
      b.at(mp).traffic_class = hw::TrafficClass::mp;
      now.push_back(mp);
    }
    for (const auto& four : fours) {
      b.add("dp" + std::to_string(i) + "." + std::to_string(four[0]), OperationType::reduce_scatter, four,
            4096, now);
    }
    before = now;
  }
  const Plan plan = make_plan(b.workload(), {});
  EXPECT_EQ(plan.order.size(), b.workload().operations.size());
  EXPECT_EQ(sets(plan), 5u);  // the pairs, and the two groups' shards
  EXPECT_TRUE(plan.turns.empty());
}

}  // namespace
}  // namespace fredsim::tb
