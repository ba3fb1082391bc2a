// Peak slot memory against the memory law on random topologies, and what each policy does with one packet
// less than that.
#include <gtest/gtest.h>

#include <algorithm>

#include "fpga_agg/schedule/alignment.h"
#include "tb/tests/wan/random_wan.h"

namespace fredsim::tb::test {
namespace {

constexpr double rate = 250e6 / 8;  // of all lines, bytes/s
constexpr double update = 2e6;
constexpr double packet = 9000;
constexpr std::uint64_t accumulators = 2 * 8994;  // FP32, of a packet of FP16

struct Case {
  std::uint64_t seed;
  const char* organization;
  const char* start;

  bool buffered() const { return std::string(organization) == "buffer_per_source"; }
  std::vector<std::string> sets(const std::string& memory) const {
    return {"wan.update=2 MB", "aggregator.memory=" + memory,
            std::string("aggregator.organization=") + organization, std::string("wan.start=") + start};
  }
};
std::ostream& operator<<(std::ostream& out, const Case& c) {
  return out << "topology" << c.seed << '_' << c.organization << '_' << c.start;
}

std::vector<Case> cases() {
  std::vector<Case> result;
  for (std::uint64_t seed = 0; seed < 10; ++seed) {
    for (const char* organization : {"accumulate_on_arrival", "buffer_per_source"}) {
      for (const char* start : {"arrival_aligned", "simultaneous"})
        result.push_back({seed, organization, start});
    }
  }
  return result;
}
std::string name_of(const testing::TestParamInfo<Case>& tested) {
  return testing::PrintToString(tested.param);
}

/// The alignment that a plan has chosen.
agg::Alignment alignment_of(const WanPlan& plan, const agg::ShortestPaths& paths) {
  const CliquePlan& clique = plan.rounds.front().front();
  return agg::with_starts(clique.members, paths, clique.starts);
}

class MemoryLaw : public testing::TestWithParam<Case> {};

TEST_P(MemoryLaw, HoldsInSimulation) {
  const Case& law = GetParam();
  const OwnWan wan(random_mesh(law.seed), law.sets("unlimited"));
  WanPlan plan = wan.plan_all();
  const agg::ShortestPaths paths(plan.topology);
  const agg::Alignment alignment = alignment_of(plan, paths);
  double needed = 0;
  for (const std::vector<double>& arrivals : alignment.arrivals_ns) {
    needed = std::max(
        needed, agg::memory_needed(wan.configuration.aggregator.organization, arrivals, rate, {update, 2}));
  }
  const std::size_t sources = plan.topology.site_count - 1;
  WanOptions options;
  options.data = false;
  WanSimulation simulation(wan.configuration, std::move(plan), options);
  const WanResult& r = simulation.run();
  EXPECT_EQ(r.status, Status::ok) << summary(r);
  // Of each stream that is kept, two packets; headers are on the wire and not in the memory.
  const double two = law.buffered() ? 2 * packet * static_cast<double>(sources - 1) : 2.0 * accumulators;
  EXPECT_NEAR(static_cast<double>(peak(r)), needed, two + needed * 6 / packet);
  EXPECT_NEAR(r.simulated.seconds(), alignment.last_arrival_ns * 1e-9 + update / rate, 0.001);
}

INSTANTIATE_TEST_SUITE_P(Random, MemoryLaw, testing::ValuesIn(cases()), name_of);

/// What a run with data came to, and what it did about its memory.
struct Came {
  double seconds = 0;
  std::uint64_t peak = 0, dropped = 0, resent = 0, bypassed = 0;
  double window_stall = 0;
  std::string limit;
};

Came came(const Case& law, const std::string& memory, const std::string& policy) {
  const auto text = apart([&] {
    std::vector<std::string> sets = law.sets(memory);
    sets.push_back("aggregator.policy=" + policy);
    const OwnWan wan(random_mesh(law.seed), sets);
    WanSimulation simulation(wan.configuration, wan.plan_all());
    const WanResult& r = simulation.run();
    EXPECT_EQ(r.status, Status::ok) << summary(r);
    EXPECT_EQ(r.wrong_elements, 0u);
    EXPECT_EQ(r.verified_elements, mesh_sites(law.seed) * std::uint64_t{1'000'000});
    double stall = 0;
    for (const auto& site : simulation.system().sites()) stall += site->statistics().window_stall.seconds();
    return nlohmann::json{r.simulated.seconds(),
                          peak(r),
                          total(r, [](const AggregatorResult& a) { return a.statistics.dropped; }),
                          total(r, [](const AggregatorResult& a) { return a.statistics.resent; }),
                          total(r, [](const AggregatorResult& a) { return a.statistics.bypassed; }),
                          stall,
                          r.cliques.front().limit}
        .dump();
  });
  const nlohmann::json j = nlohmann::json::parse(text);
  return {j[0], j[1], j[2], j[3], j[4], j[5], j[6]};
}

class ShortMemory : public testing::TestWithParam<Case> {};

TEST_P(ShortMemory, EachPolicyCopesInItsOwnWay) {
  const Case& law = GetParam();
  // Where all of the update fits, sources start at once; here they start as the law assumes.
  const double whole = law.buffered() ? update * (mesh_sites(law.seed) - 2) : 2 * update;
  const bool aligned = std::string(law.start) == "arrival_aligned";
  const Came enough = came(law, aligned ? fmt::format("{:.0f} B", 0.99 * whole) : "unlimited", "drop");
  EXPECT_EQ(enough.dropped, 0u);
  const std::uint64_t one = law.buffered() ? 8994 : accumulators;
  if (enough.peak < 3 * one * mesh_sites(law.seed)) return;  // aligned threes need almost nothing
  const std::string less = fmt::format("{} B", enough.peak - one);

  const Came paced = came(law, less, "pace");
  EXPECT_EQ(paced.limit, "memory");
  EXPECT_EQ(paced.dropped + paced.bypassed, 0u);
  EXPECT_LE(paced.peak, enough.peak - one);
  // By the law: as much slower as the memory is less, in whole packets of every stream that is kept.
  const double lacks = static_cast<double>(one) * (law.buffered() ? mesh_sites(law.seed) : 1) /
                       static_cast<double>(enough.peak);
  EXPECT_GT(paced.seconds, enough.seconds);
  EXPECT_LT(paced.seconds - enough.seconds, 2 * lacks * update / rate);

  const Came stalls = came(law, less, "backpressure");
  EXPECT_GT(stalls.window_stall, 0);
  EXPECT_EQ(stalls.dropped + stalls.bypassed, 0u);
  EXPECT_LE(stalls.peak, enough.peak - one);

  const Came resends = came(law, less, "drop");
  EXPECT_GT(resends.dropped, 0u);
  EXPECT_GE(resends.resent, resends.dropped);
  EXPECT_LE(resends.peak, enough.peak - one);

  const Came forwards = came(law, less, "bypass");
  EXPECT_GT(forwards.bypassed, 0u);
  EXPECT_EQ(forwards.resent, 0u);
  EXPECT_LE(forwards.peak, enough.peak - one);
  // What is bypassed goes over the site's line on top of the sums.
  EXPECT_GT(forwards.seconds, enough.seconds - 0.001);
  EXPECT_LT(forwards.seconds,
            enough.seconds + 0.001 + static_cast<double>(forwards.bypassed) * packet / rate);
}

/// Of each topology one, organizations and starts in turn.
std::vector<Case> some_cases() {
  const std::vector<Case> all = cases();
  std::vector<Case> result;
  for (std::size_t seed = 0; seed < 10; ++seed) result.push_back(all[4 * seed + seed % 4]);
  return result;
}

INSTANTIATE_TEST_SUITE_P(Random, ShortMemory, testing::ValuesIn(some_cases()), name_of);

}  // namespace
}  // namespace fredsim::tb::test
