#include "tb/bench/route_bench.h"

#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include <algorithm>
#include <random>
#include <string>

#include "switch/route/search.h"

namespace fredsim::tb::bench {
namespace {

constexpr std::uint32_t middle = 3;

using Flows = std::vector<sw::PortFlow>;
using Random = std::mt19937_64;  // the same numbers with every library, unlike its distributions

std::vector<hw::PortId> shuffled(std::uint32_t ports, Random& random) {
  std::vector<hw::PortId> all;
  for (std::uint32_t p = 0; p < ports; ++p) all.emplace_back(p);
  for (std::size_t i = all.size(); i > 1; --i) std::swap(all[i - 1], all[random() % i]);
  return all;
}

/// The ports in random order, cut into groups of 1 to 8; a group of one has nothing to reduce.
Flows all_reduce_groups(std::uint32_t ports, Random& random) {
  const std::vector<hw::PortId> all = shuffled(ports, random);
  Flows flows;
  for (std::size_t begin = 0; begin < all.size();) {
    const std::size_t end = std::min(all.size(), begin + 1 + random() % 8);
    std::vector<hw::PortId> group(all.begin() + static_cast<std::ptrdiff_t>(begin),
                                  all.begin() + static_cast<std::ptrdiff_t>(end));
    std::sort(group.begin(), group.end());
    if (group.size() > 1) flows.push_back({group, group});
    begin = end;
  }
  return flows;
}

Flows permutation(std::uint32_t ports, Random& random) {
  const std::vector<hw::PortId> to = shuffled(ports, random);
  Flows flows;
  for (std::uint32_t p = 0; p < ports; ++p) flows.push_back({{hw::PortId{p}}, {to[p]}});
  return flows;
}

void measure_routing(benchmark::State& state, std::uint32_t ports, const std::vector<Flows>& sets) {
  const sw::Structure structure(ports, middle);
  sw::SearchLimits limits;
  limits.explain = false;
  std::size_t next = 0;
  double routed = 0, conflicts = 0, steps = 0, most_steps = 0, answers = 0;
  for ([[maybe_unused]] auto _ : state) {
    const sw::RoutingAnswer answer = route(structure, sets[next], limits);
    next = (next + 1) % sets.size();
    ++answers;
    routed += answer.routed();
    conflicts += answer.outcome == sw::RoutingAnswer::Outcome::conflict;
    steps += static_cast<double>(answer.steps);
    most_steps = std::max(most_steps, static_cast<double>(answer.steps));
  }
  state.counters["routed"] = routed / answers;
  state.counters["conflict"] = conflicts / answers;
  state.counters["steps"] = steps / answers;
  state.counters["most_steps"] = most_steps;
}

void add(const char* kind, std::uint32_t ports, const RouteOptions& options,
         Flows (*make)(std::uint32_t, Random&)) {
  Random random(options.seed);
  std::vector<Flows> sets;
  for (std::uint32_t s = 0; s < options.sets; ++s) sets.push_back(make(ports, random));
  // Whole rounds of the sets, so that every run routes the same.
  const auto rounds = static_cast<benchmark::IterationCount>(options.sets);
  benchmark::RegisterBenchmark(
      fmt::format("route/{}/{}", kind, ports).c_str(),
      [ports, sets = std::move(sets)](benchmark::State& state) { measure_routing(state, ports, sets); })
      ->Iterations(rounds)
      ->Unit(benchmark::kMicrosecond);
}

}  // namespace

void register_routing(const RouteOptions& options) {
  for (const std::uint32_t ports : options.ports) {
    add("all_reduce_groups", ports, options, all_reduce_groups);
    add("permutation", ports, options, permutation);
  }
}

}  // namespace fredsim::tb::bench
