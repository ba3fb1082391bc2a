#include "tb/tests/route/checks.h"

#include <gtest/gtest.h>

#include "tb/tests/route/oracle.h"

namespace fredsim::sw::test {
namespace {

std::vector<PortFlow> chosen(const std::vector<PortFlow>& flows, const std::vector<std::uint32_t>& indices) {
  std::vector<PortFlow> result;
  for (const std::uint32_t i : indices) result.push_back(flows[i]);
  return result;
}

std::vector<PortFlow> exchanged(const std::vector<PortFlow>& flows, std::uint32_t a, std::uint32_t b) {
  const auto other = [&](hw::PortId p) { return p.value == a ? b : p.value == b ? a : p.value; };
  std::vector<PortFlow> result;
  for (const PortFlow& f : flows) {
    Ports inputs;
    Ports outputs;
    for (const hw::PortId p : f.inputs) inputs.insert(other(p));
    for (const hw::PortId p : f.outputs) outputs.insert(other(p));
    result.push_back(flow(inputs, outputs));
  }
  return result;
}

/// Every claim of the explanation holds by the oracle.
void check_conflict(const Structure& structure, const std::vector<PortFlow>& flows,
                    const Conflict& conflict) {
  const auto ports = structure.ports();
  const auto middle = structure.middle();
  const std::vector<PortFlow> set = chosen(flows, conflict.flows);
  EXPECT_TRUE(conflict.flows_complete && conflict.level_complete && conflict.middle_complete &&
              conflict.swap_complete);

  ASSERT_FALSE(routable(structure, set));
  for (std::size_t i = 0; i < set.size(); ++i) {
    std::vector<PortFlow> others = set;
    others.erase(others.begin() + static_cast<std::ptrdiff_t>(i));
    ASSERT_TRUE(routable(structure, others)) << "flow " << conflict.flows[i] << " is not needed";
  }

  ASSERT_TRUE(routable(ports, middle, set, conflict.level));
  ASSERT_FALSE(routable(ports, middle, set, conflict.level + 1));

  for (std::uint32_t m = middle + 1; m <= max_middle; ++m) {
    const bool routes = routable(Structure(ports, m), flows);
    ASSERT_EQ(routes, conflict.smallest_middle && m >= *conflict.smallest_middle) << "m = " << m;
  }

  bool any = false;
  for (std::uint32_t a = 0; a < ports && !any; ++a) {
    for (std::uint32_t b = a + 1; b < ports && !any; ++b) any = routable(structure, exchanged(flows, a, b));
  }
  ASSERT_EQ(conflict.swap.has_value(), any);
  if (conflict.swap) {
    EXPECT_LT(conflict.swap->first, conflict.swap->second);
    ASSERT_TRUE(
        routable(structure, exchanged(flows, conflict.swap->first.value, conflict.swap->second.value)));
  }
}

}  // namespace

const std::vector<std::string>& kinds() {
  static const std::vector<std::string> all = {"unicast", "all_reduce", "reduce", "multicast", "mix"};
  return all;
}

SearchLimits only_routing() {
  SearchLimits limits;
  limits.explain = false;
  return limits;
}

void check_search(const Structure& structure, const std::vector<PortFlow>& flows) {
  const RoutingAnswer answer = route(structure, flows, only_routing());
  ASSERT_NE(answer.outcome, RoutingAnswer::Outcome::given_up);
  ASSERT_EQ(answer.routed(), routable(structure, flows)) << to_string(structure) << to_string(flows);
  if (!answer.routed()) return;
  ASSERT_EQ(answer.routes.size(), flows.size());
  ASSERT_EQ(replay(structure, flows, answer.routes), "") << to_string(structure) << to_string(flows);
}

void check_random_sets(std::uint32_t seed, int rounds) {
  std::mt19937 random(seed);
  for (int round = 0; round < rounds; ++round) {
    const auto ports = static_cast<std::uint32_t>(2 + random() % 19);
    const auto middle = static_cast<std::uint32_t>(2 + random() % 2);
    const std::string& kind = kinds()[random() % kinds().size()];
    const double fill = 0.4 + 0.2 * static_cast<double>(random() % 4);
    SCOPED_TRACE(testing::Message() << "seed " << seed << " round " << round << " " << kind);
    check_search(Structure(ports, middle), random_flows(random, ports, kind, fill));
    if (testing::Test::HasFatalFailure()) return;
  }
}

void check_random_conflicts(std::uint32_t seed, int wanted) {
  std::mt19937 random(seed);
  int deep = 0;
  int without_swap = 0;
  for (int found = 0; found < wanted;) {
    const auto ports = static_cast<std::uint32_t>(4 + random() % 10);
    const Structure structure(ports, static_cast<std::uint32_t>(2 + random() % 2));
    const std::vector<PortFlow> flows = random_flows(random, ports, kinds()[random() % kinds().size()], 1.0);
    const RoutingAnswer answer = route(structure, flows);
    if (answer.routed()) continue;
    ++found;
    SCOPED_TRACE(testing::Message() << "seed " << seed << " " << to_string(structure) << to_string(flows));
    ASSERT_TRUE(answer.conflict);
    check_conflict(structure, flows, *answer.conflict);
    if (testing::Test::HasFatalFailure()) return;
    deep += answer.conflict->level > 0;
    without_swap += !answer.conflict->swap;
  }
  EXPECT_GT(deep, 0) << "no conflict below the outermost level was tried";
  EXPECT_GT(without_swap, 0) << "no conflict that no exchange resolves was tried";
}

}  // namespace fredsim::sw::test
